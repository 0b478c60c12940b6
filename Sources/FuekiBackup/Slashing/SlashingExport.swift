internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

/// Exports an archive's slashing records as one file for each network, for import by a validator's client.
///
/// Each key gets the highest numbers of all records. Records without a network, or unreadable ones, are written
/// unchanged, because nothing identifies the records of the same network.
final class SlashingExport {
  private struct Key: Hashable {
    let id: Data
    let source: String
    let path: Data
  }

  private var begun: [Key: [UInt8]] = [:]
  private var merged: [[UInt8]: SlashingRecord] = [:]
  private var apart: [[UInt8]] = []

  /// A block's slashing records, and how many parts of files it has in all.
  private struct Parts: Sendable {
    let count: Int
    let records: [FilePart]
  }

  /// Collects the slashing records among the files.
  ///
  /// - Returns: the number of all parts of files, which the section announces.
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  func take(_ records: SectionRecords) throws -> UInt64 {
    guard records.section == .files else { return 0 }
    var count = 0
    try records.forEachBlock(decode: Self.parts) { parts in
      count += parts.count
      for part in parts.records { take(part) }
    }
    return UInt64(count)
  }

  @Sendable private static func parts(of block: RecordBlock) throws -> Parts {
    let all = try block.decoded(as: FilePart.self)
    let records = all.filter { part in
      part.format == SlashingRecord.format && part.total <= UInt64(SlashingRecord.byteCountLimit)
    }
    return Parts(count: all.count, records: records)
  }

  private func take(_ part: FilePart) {
    let key = Key(id: part.id, source: part.source, path: part.path)
    var content = begun.removeValue(forKey: key) ?? []
    guard part.offset == UInt64(content.count), part.content.count <= SlashingRecord.byteCountLimit else {
      return
    }
    content += [UInt8](part.content)
    guard UInt64(content.count) >= part.total else {
      begun[key] = content
      return
    }
    guard let record = try? SlashingRecord(reading: content), let root = record.genesisRoot else {
      return apart.append(content)
    }
    merged[root] = merged[root]?.merged(with: record) ?? record
  }

  /// Writes the files: `eip3076-<first digits of the network's root>.json`, and `eip3076-apart-<n>.json`.
  ///
  /// - Throws: system errors.
  func write(in directory: borrowing Directory) throws {
    for (root, record) in merged.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try Self.write(record.fileContent, "eip3076-\(Hex.encode(root).prefix(16)).json", in: directory)
    }
    for (index, content) in apart.enumerated() {
      try Self.write(content, "eip3076-apart-\(index + 1).json", in: directory)
    }
  }

  private static func write(_ content: [UInt8], _ name: String, in directory: borrowing Directory) throws {
    let file = try ExportFile(name, in: directory)
    try file.append(content)
    try file.sync()
  }
}
