internal import FuekiSystem

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
