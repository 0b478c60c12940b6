internal import FuekiBackup
public import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

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

  /// Requests a wallet's descriptors with private keys from a node.
  ///
  /// - Parameter path: the wallet file's path.
  /// - Returns: the node's output; nil if no node has the wallet, or it does not print keys.
  public typealias List = @Sendable (_ path: String) throws(FileCopyingError) -> SharedSecret?

  private let copy: Copy
  private let list: List?

  /// Creates a copier from closures for copying and for listing descriptors.
  public init(_ copy: @escaping Copy, listing list: List? = nil) {
    self.copy = copy
    self.list = list
  }

  /// Copies by a path and a beginning, for another process of this program.
  func copy(of path: String, _ beginning: [UInt8]) throws(FileCopyingError) -> CopiedFile? {
    try copy(path, beginning)
  }

  /// A node's listing of a wallet's descriptors, for another process of this program.
  func listing(of path: String) throws(FileCopyingError) -> SharedSecret? { try list?(path) }

  /// Returns a node's listing of a wallet's descriptors as a file without a place, if secrets are requested.
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
