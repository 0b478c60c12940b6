internal import FoundationEssentials
public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet
internal import SwiftProtobuf

/// An export for other wallets, into a new directory that is there as a whole or not at all.
public final class InterchangeExport: ExportOutput {
  /// The output's format.
  public enum Format: Sendable {
    /// `labels.jsonl`: labels as BIP-329 has them.
    case labels
    /// A file for each descriptor, encrypted to the keys in it, as BIP-138 has it.
    case encryptedDescriptors
  }

  /// Always empty: these files have no parts.
  public let incompleteFiles: [String] = []
  /// Whether the directory's file system keeps permissions.
  public var keepsPermissions: Bool { scratch.keepsPermissions }
  /// Neither format has secrets.
  public var keychain: (any KeychainAccess)? { nil }
  /// How many descriptors cannot be encrypted: no public key is in them.
  public private(set) var leftOut = 0
  private static let nameByteCount = 100

  private let format: Format
  private let scratch: ExportScratch
  private var names: Set<String> = []

  /// Prepares for a directory that is not there, or empty; nothing is written yet.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``.
  public init(output: String, format: Format) throws {
    self.format = format
    scratch = try ExportScratch(becoming: output)
  }

  /// The sections that a format is made of.
  public static func sections(of format: Format) -> Set<Section> {
    switch format {
    case .labels: [.settings]
    case .encryptedDescriptors: [.wallets]
    }
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
    switch (format, records.section) {
    case (.labels, .settings): try writeLabels(records)
    case (.encryptedDescriptors, .wallets): try writeDescriptors(records)
    default: 0
    }
  }

  /// Puts the directory in place.
  public func finish() throws { try scratch.settle() }

  private func writeLabels(_ records: SectionRecords) throws -> UInt64 {
    let lines = try ExportFile(
      "labels.jsonl", in: scratch.directory(), section: Section.settings.name,
      limit: ExportLimits.lineBytes(of: records.byteCount))
    var count: UInt64 = 0
    try records.forEachBlock(decode: { (try Self.labels(in: $0), $0.messages.count) }) { found in
      for label in found.0 { try lines.append(label) }
      count += UInt64(found.1)
    }
    try lines.sync()
    return count
  }

  /// The labels among settings, each a line.
  private static func labels(in block: RecordBlock) throws -> [[UInt8]] {
    try block.decoded(as: Setting.self).compactMap { setting in
      let bytes = Array(setting.value.utf8)
      guard setting.key.hasPrefix(Setting.labelPrefix),
        let object = try? JSONDocument(bytes, limit: max(bytes.count, 1)).root,
        object.member("type")?.string != nil, object.member("ref")?.string != nil
      else { return nil }
      // JSON has line breaks only between its tokens.
      return bytes.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 } + [0x0a]
    }
  }

  private func writeDescriptors(_ records: SectionRecords) throws -> UInt64 {
    var count: UInt64 = 0
    let directory = try scratch.directory()
    try records.forEachBlock(decode: { try $0.decoded(as: Wallet.self) }) { wallets in
      for wallet in wallets {
        for text in wallet.descriptors {
          let keys = DescriptorBackup.keys(of: text)
          guard !keys.isEmpty,
            let sealed = try? DescriptorBackup.sealed(
              Array(text.utf8), .descriptor, to: keys, paths: DescriptorBackup.paths(of: text))
          else {
            leftOut += 1
            continue
          }
          let file = try ExportFile(try name(of: wallet, text), in: directory)
          try file.append(sealed)
          try file.sync()
        }
      }
      count += UInt64(wallets.count)
    }
    return count
  }

  /// The wallet's name and the descriptor's checksum, as a name that every file system takes.
  private func name(of wallet: Wallet, _ text: String) throws -> String {
    let plain = wallet.name.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar))
        ? Character(scalar) : "_"
    }
    let checksum = text.suffix(DescriptorChecksum.characterCount)
    let base = (plain.isEmpty ? "wallet" : String(plain.prefix(Self.nameByteCount))) + "-" + checksum
    guard names.count < ExportLimits.entries else {
      throw ExportLimitError.entries(section: Section.wallets.name)
    }
    var (name, number) = (base, 1)
    while !names.insert(name).inserted {
      number += 1
      name = "\(base)~\(number)"
    }
    return "\(name).bed"
  }
}
