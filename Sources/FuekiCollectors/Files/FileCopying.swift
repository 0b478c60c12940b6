public import FuekiSystem

/// What copies files that their programs may be writing.
///
/// Such a file's bytes, read one after another, can be those of two moments. How a whole copy is had is the file's
/// program's or its database's business, which this module knows nothing of.
public struct FileCopying: Sendable {
  /// Copies a file.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - beginning: its first bytes.
  /// - Returns: a copy that is whole; nil where the file's own bytes are.
  public typealias Copy =
    @Sendable (_ path: String, _ beginning: [UInt8]) throws(FileCopyingError) -> CopiedFile?

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let beginningByteCount = 128
  private static let endings = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

  private let copy: Copy

  /// Copies by a closure.
  public init(_ copy: @escaping Copy) { self.copy = copy }

  /// A copy of a file, where its own bytes may not be whole.
  func copy(of found: borrowing FoundFile) throws(FileCopyingError) -> CopiedFile? {
    guard let path = String(validating: found.path, as: UTF8.self) else { return nil }
    return try copy(path, Self.beginning(of: found.file))
  }

  /// Whether a file belongs to a database beside it: put back beside a copy, it would damage that.
  func isPartOfAnother(_ found: borrowing FoundFile) throws(FileCopyingError) -> Bool {
    for ending in Self.endings
    where found.path.count > ending.count && found.path.suffix(ending.count) == ending[...] {
      guard let file = try? File.openRegular([UInt8](found.path.dropLast(ending.count))) else { continue }
      if Self.beginning(of: file).starts(with: Self.magic) { return true }
    }
    return false
  }

  private static func beginning(of file: borrowing File) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: beginningByteCount)
    let count = (try? file.pread(into: &bytes, at: 0)) ?? 0
    return Array(bytes[..<count])
  }
}

/// A copy of a file: open, and without a name, so that it is gone when nobody reads it any more.
public final class CopiedFile: Sendable {
  let file: File
  let byteCount: UInt64

  /// Takes over an open file.
  public init(_ file: consuming File) throws(SystemError) {
    byteCount = try file.size()
    self.file = file
  }
}

/// Why a file that its program may be writing could not be copied.
public struct FileCopyingError: Error, Equatable, Sendable {
  /// One sentence for people.
  public let reason: String

  /// For this reason.
  public init(reason: String) { self.reason = reason }
}
