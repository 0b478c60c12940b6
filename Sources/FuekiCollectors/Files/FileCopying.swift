internal import FuekiBackup
public import FuekiCrypto
public import FuekiSystem
internal import FuekiWallet

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

  private static let beginningByteCount = 128

  /// Has a node print a wallet's descriptors, with their private keys.
  ///
  /// - Parameter path: where the wallet's file is.
  /// - Returns: what the node prints; nil where no node has the wallet, or it does not print its keys.
  public typealias List = @Sendable (_ path: String) throws(FileCopyingError) -> SharedSecret?

  private let copy: Copy
  private let list: List?

  /// Copies by a closure, and has descriptors printed by another.
  public init(_ copy: @escaping Copy, listing list: List? = nil) {
    self.copy = copy
    self.list = list
  }

  /// Copies by a path and a beginning, for another process of this program.
  func copy(of path: String, _ beginning: [UInt8]) throws(FileCopyingError) -> CopiedFile? {
    try copy(path, beginning)
  }

  /// What a node prints of a wallet's descriptors, for another process of this program.
  func listing(of path: String) throws(FileCopyingError) -> SharedSecret? { try list?(path) }

  /// What a node prints of a wallet's descriptors, as a file that has no place: only where secrets are asked for.
  func listing(of path: String, _ request: CollectionRequest) throws -> SecretFilePart? {
    guard request.includesPrivateKeys, request.selection.contains(.secretFiles),
      let printed = try list?(path)
    else { return nil }
    let name = Array("listdescriptors.json".utf8)
    let mark = Array("fueki/1 secret file\0\(BitcoinCoreCollector.kind)\0".utf8) + name + [0]
    let digest = printed.bytes.withBytes { SHA256.hash(mark.span, $0) }
    var part = SecretFilePart(
      id: Array(digest.bytes.prefix(16)), source: BitcoinCoreCollector.kind, path: name, offset: 0,
      total: UInt64(printed.bytes.count), content: printed)
    part.format = "bitcoin-core-descriptors"
    part.mode = 0o600
    return part
  }

  /// A copy of a file, where its own bytes may not be whole.
  func copy(of found: borrowing FoundFile) throws(FileCopyingError) -> CopiedFile? {
    guard let path = String(validating: found.path, as: UTF8.self) else { return nil }
    return try copy(path, found.beginning(Self.beginningByteCount))
  }
}

/// How a file is backed up: from a copy that is whole, or from its own bytes.
struct TakenFile {
  /// Nil if the file's own bytes are whole, or are all there is.
  let copy: CopiedFile?
  /// Whether it is a damaged database.
  var isDamaged = false
  /// Whether files next to it belong to it: a copy has their changes, and the file's own bytes lack them.
  var hasParts: Bool { copy == nil }
}

extension ImportedRecords {
  /// Decides how a file is backed up; nil if it is left out, which is noted.
  ///
  /// A file that belongs to a database goes with that. A damaged database is backed up as it is, with its logs: tools that
  /// repair one need all of them.
  mutating func taking(_ found: borrowing FoundFile, by copying: FileCopying?) -> TakenFile? {
    let name = FileName.text(found.name)
    guard !DatabaseParts.isPart(found.path) else {
      exclude(name, "part of the database beside it, which is taken whole", loss: .none)
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
      case .damaged: return TakenFile(copy: nil, isDamaged: true)
      case .refused(let reason):
        exclude(name, reason, loss: .possible)
        return nil
      }
    }
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
public enum FileCopyingError: Error, Equatable, Sendable {
  /// It is a database whose pages contradict one another: what its own bytes hold is all there is.
  case damaged
  /// For a reason that one sentence tells people.
  case refused(reason: String)
}
