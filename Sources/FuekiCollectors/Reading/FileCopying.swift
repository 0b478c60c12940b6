internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet
public import FuekiSystem

/// Copies files that their programs may be writing.
///
/// Bytes read one after another can be from different moments. How to obtain a consistent copy depends on the
/// file's program or database, which this module does not know.
public struct FileCopying: Sendable {
  /// Copies a file.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - beginning: its first bytes.
  /// - Returns: a consistent copy; nil if the file itself is consistent.
  public typealias Copy =
    @Sendable (_ path: String, _ beginning: [UInt8]) throws(FileCopyingError) -> CopiedFile?

  private static let beginningByteCount = 128

  private let copy: Copy

  /// Creates a copier.
  public init(_ copy: @escaping Copy) { self.copy = copy }

  /// Copies by a path and a beginning, for another process of this program.
  func copy(of path: String, _ beginning: [UInt8]) throws(FileCopyingError) -> CopiedFile? {
    try copy(path, beginning)
  }

  /// Returns a copy of a file, if reading it directly may be inconsistent.
  func copy(of found: borrowing FoundFile) throws(FileCopyingError) -> CopiedFile? {
    guard let path = String(validating: found.path, as: UTF8.self) else { return nil }
    return try copy(path, found.beginning(Self.beginningByteCount))
  }
}

extension ImportedRecords {
  /// Decides how to back up a file; nil if it is excluded, which is reported.
  ///
  /// A file that belongs to a database is backed up with it. A damaged database is backed up unchanged with
  /// its logs, because repair tools need all of them.
  mutating func taking(_ found: borrowing FoundFile, by copying: FileCopying?) -> TakenFile? {
    let name = FileName.text(found.name)
    guard !DatabaseParts.isPart(found.path) else {
      exclude(name, "part of the database next to it, which is taken whole", loss: .none)
      return nil
    }
    if let reason = found.sparseReason {
      exclude(name, reason, loss: .possible)
      return nil
    }
    guard let copying else { return TakenFile(copy: nil) }
    do throws(FileCopyingError) {
      return TakenFile(copy: try copying.copy(of: found))
    } catch {
      switch error {
      case .damaged, .failed: return TakenFile(copy: nil, isDamaged: true)
      case .refused(let reason):
        exclude(name, reason, loss: .possible)
        return nil
      }
    }
  }
}

/// Why a file that its program may be writing could not be copied.
public enum FileCopyingError: Error, Equatable, Sendable {
  /// It is an inconsistent database.
  ///
  /// Its own bytes are all there is.
  case damaged
  /// The process that copies it failed.
  ///
  /// Its bytes are kept without being read.
  case failed(ReaderError)
  /// Another reason, as a sentence for people.
  case refused(reason: String)
}

/// An open, unlinked copy of a file, which disappears when it is no longer used.
public final class CopiedFile: Sendable {
  let file: File
  let byteCount: UInt64

  /// Takes ownership of an open file.
  public init(_ file: consuming File) throws(SystemError) {
    byteCount = try file.size()
    self.file = file
  }
}

/// A private, consistent copy of a file that changes while it is read.
struct StillCopy {
  private static let attempts = 8

  let file: CopiedFile
  /// The status of the copied file.
  let status: FileStatus

  /// Copies a file; nil if it changed during every attempt, or there is no place for copies.
  ///
  /// Programs that replace a file create another at the same path, so each attempt reopens the path.
  init?(of found: borrowing FoundFile, in changes: SourceChanges) throws {
    for _ in 0..<Self.attempts {
      guard let copy = try changes.makeFile() else { return nil }
      let source = try File.openRegular(found.realPath, symbolicLinks: .refuse)
      let status = try source.status()
      guard try Self.copy(source, status.size, to: copy), try source.status().isSameContent(as: status) else {
        continue
      }
      (file, self.status) = (try CopiedFile(copy), status)
      return
    }
    return nil
  }

  private static func copy(
    _ source: borrowing File, _ byteCount: UInt64, to copy: borrowing File
  ) throws -> Bool {
    var offset: UInt64 = 0
    while offset < byteCount {
      try Interrupted.check()
      let count = Int(clamping: min(UInt64(FileRecords.partByteCount), byteCount - offset))
      var bytes = try SecretBytes(count: count)
      let read = try bytes.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
        try source.pread(into: &bytes, at: offset)
      }
      guard read == count else { return false }
      try bytes.withBytes { (bytes) throws(SystemError) in try copy.pwriteAll(bytes, at: offset) }
      offset += UInt64(count)
    }
    return true
  }
}

extension FileStatus {
  /// Whether nothing was written in between.
  ///
  /// The file may have been unlinked meanwhile.
  fileprivate func isSameContent(as other: FileStatus) -> Bool {
    size == other.size && modificationTime == other.modificationTime
  }
}
