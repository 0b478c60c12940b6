internal import FoundationEssentials
public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet
internal import SwiftProtobuf

/// Writes every original file to a tree like its own, in a new directory that appears complete or not at all.
///
/// `home/…` holds files from below a home directory, `root/…` those from elsewhere, and `unplaced/SOURCE/…` those of
/// unknown origin.
public final class NativeExport: ExportOutput {
  /// The sections that have files.
  public static let sections: Set<Section> = [.files, .secretFiles]

  /// The paths, below the directory, of files of which the archive has not every part, once finished.
  public private(set) var incompleteFiles: [String] = []
  /// The files written under other names than their own, sorted.
  public var renamedFiles: [RenamedFile] { files.renamed }
  /// Whether the directory's file system keeps permissions.
  public var keepsPermissions: Bool { scratch.keepsPermissions }
  /// Takes files that hold secrets in the clear.
  public var keychain: (any KeychainAccess)? { NativeSecrets(files) }
  private let scratch: ExportScratch
  private let files: ExportedFiles

  /// Prepares for a directory that is not there, or empty; nothing is written yet.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``.
  public init(output: String) throws {
    scratch = try ExportScratch(becoming: output)
    files = ExportedFiles(in: scratch, layout: .native)
  }

  /// Makes the directory that becomes the export.
  ///
  /// - Returns: its path, and that of the parent folder.
  /// - Throws: system errors.
  public func prepare() throws -> (path: String, parent: String) {
    (try scratch.directory().path, scratch.parent)
  }

  /// Makes the directory.
  public func begin(_ manifest: Manifest, vaultID: VaultID) throws { _ = try scratch.directory() }

  /// Writes a section's part of the format, and ignores other sections.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``, ``ExportLimitError``, and system errors.
  public func restore(_ records: SectionRecords) throws -> UInt64 {
    guard records.section == .files else { return 0 }
    var count: UInt64 = 0
    files.lengthLimit = ExportLimits.fileBytes(of: records.byteCount)
    try records.forEachBlock(decode: { try $0.decoded(as: FilePart.self) }) { parts in
      for part in parts {
        guard try files.write(part, part.content.span) != nil else {
          throw RecordsError.malformedRecord(section: Section.files.name)
        }
      }
      count += UInt64(parts.count)
    }
    return count
  }

  /// Puts the directory in place.
  public func finish() throws {
    incompleteFiles = try files.finish().map { String(decoding: $0, as: UTF8.self) }
    try scratch.settle()
  }
}

/// The secrets of a native export: files, and nothing else.
final class NativeSecrets: KeychainAccess {
  private let files: ExportedFiles
  /// The bytes of the secret files so far.
  private var byteCount: UInt64 = 0

  init(_ files: ExportedFiles) { self.files = files }

  func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws {}

  func add(secretRecord: borrowing SecretBytes, of section: Section) throws {
    guard section == .secretFiles else { return }
    let part: SecretFilePart
    do throws(SecretRecordError) {
      part = try secretRecord.withBytes { (bytes) throws(SecretRecordError) in
        try SecretFilePart(decoding: bytes)
      }
    } catch {
      guard error != .outOfMemory else { throw CryptoError.outOfMemory }
      throw RecordsError.malformedRecord(section: section.name)
    }
    var described = try FilePart(describing: part)
    described.offset = part.offset
    byteCount += UInt64(part.content.bytes.count)
    files.lengthLimit = ExportLimits.fileBytes(of: byteCount)
    let path = try part.content.bytes.withBytes { try files.write(described, $0) }
    guard path != nil else { throw RecordsError.malformedRecord(section: section.name) }
  }

  func write() throws {}

  /// Shares are never requested, and none is held.
  func holds(share id: [UInt8], secret: borrowing SecretBytes) throws -> Bool { true }
}
