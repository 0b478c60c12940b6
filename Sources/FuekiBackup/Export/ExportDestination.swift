internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import SwiftProtobuf
public import FuekiArchive
public import FuekiWallet

/// An export into a new directory of open formats, which appears complete or not at all.
///
/// It holds `manifest.json`, `<section name>.jsonl` with one JSON object a line for each section (or `<section
/// name>.csv` with a row for each record), `files/` with the files of section 8 byte for byte, and `secrets/` if
/// ``secrets`` was passed to the restore. Everything is made in a sibling directory, `.<name>.exporting-<random>`.
/// Dropping the export before ``finish()`` removes it.
public final class ExportDestination: Destination {
  /// The keychain that writes secrets in the clear.
  ///
  /// It writes only what the restore passes to it.
  public let secrets: ExportedSecrets
  /// The paths, below the directory, of files of which the archive has not every part, once finished.
  public private(set) var incompleteFiles: [String] = []
  /// The files written under other names than their own, sorted.
  public var renamedFiles: [RenamedFile] { files.renamed }
  /// Whether the directory's file system keeps permissions.
  public var keepsPermissions: Bool { scratch.keepsPermissions }
  private let format: ExportFormat
  private let isExact: Bool
  private let scratch: ExportScratch
  private let files: ExportedFiles
  private let slashing = SlashingExport()
  private var manifest: (record: Manifest, vaultID: VaultID)?
  private var losses: Losses?
  private var counts: [(section: Section, records: UInt64)] = []

  /// Prepares for a directory that is not there, or empty; nothing is written yet.
  ///
  /// - Parameters:
  ///   - output: the directory.
  ///   - format: how records are written.
  ///   - isExact: whether a table has every text as it is, those that a spreadsheet takes for formulas too.
  /// - Throws: ``PlaceError/wouldOverwrite(path:)``.
  public init(output: String, format: ExportFormat = .jsonl, isExact: Bool = false) throws {
    self.format = format
    self.isExact = isExact
    scratch = try ExportScratch(becoming: output)
    files = ExportedFiles(in: scratch)
    secrets = ExportedSecrets(in: scratch)
  }

  /// Makes the directory that becomes the export, before anything is read.
  ///
  /// - Returns: its path, and that of the parent folder.
  /// - Throws: system errors.
  public func prepare() throws -> (path: String, parent: String) {
    (try scratch.directory().path, scratch.parent)
  }

  /// Makes the directory.
  public func begin(_ manifest: Manifest, vaultID: VaultID) throws {
    _ = try scratch.directory()
    self.manifest = (manifest, vaultID)
  }

  /// Writes a section's records, each a line, encoded on workers.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` for a record that is not what its section holds.
  public func restore(_ records: SectionRecords) throws -> UInt64 {
    if format == .eip3076 { return try slashing.take(records) }
    guard let table = RecordTable.of(records.section) else { return 0 }
    let directory = try scratch.directory()
    let lines = try ExportFile(
      "\(records.section.name).\(format.rawValue)", in: directory, section: records.section.name,
      limit: ExportLimits.lineBytes(of: records.byteCount))
    let rows = format == .csv ? CommaSeparated(columns: table.columns, isExact: isExact) : nil
    if let rows { try lines.append(rows.header) }
    let count =
      records.section == .files
      ? try restoreFiles(records, table, rows, lines) : try restoreLines(records, table, rows, lines)
    try lines.sync()
    counts.append((records.section, count))
    return count
  }

  /// Records the losses for the manifest, because the folder may one day be the only copy.
  public func note(_ losses: Losses) { self.losses = losses.isEmpty ? nil : losses }

  /// Writes the manifest and puts the directory in place.
  public func finish() throws {
    let incomplete = try files.finish()
    incompleteFiles = incomplete.map { String(decoding: $0, as: UTF8.self) } + secrets.incompleteFiles
    if format == .eip3076 { try slashing.write(in: try scratch.directory()) }
    if let manifest { try write(manifest.record, vaultID: manifest.vaultID) }
    try scratch.settle()
  }

  private func restoreLines(
    _ records: SectionRecords, _ table: RecordTable, _ rows: CommaSeparated?, _ output: ExportFile
  ) throws -> UInt64 {
    var count: UInt64 = 0
    let decode: @Sendable (RecordBlock) throws -> ExportedLines = { block in
      let lines = try table.lines(of: block)
      return ExportedLines(bytes: rows?.rows(of: lines.bytes) ?? lines.bytes, count: lines.count)
    }
    try records.forEachBlock(decode: decode) { lines in
      try output.append(lines.bytes)
      count += UInt64(lines.count)
    }
    return count
  }

  private func restoreFiles(
    _ records: SectionRecords, _ table: RecordTable, _ rows: CommaSeparated?, _ output: ExportFile
  ) throws -> UInt64 {
    var count: UInt64 = 0
    files.lengthLimit = ExportLimits.fileBytes(of: records.byteCount)
    try records.forEachBlock(decode: { try ExportedPart.parts(of: $0, table) }) { parts in
      for part in parts {
        let line = part.line(writtenTo: try files.write(part.record, part.record.content.span))
        try output.append(rows?.rows(of: line) ?? line)
      }
      count += UInt64(parts.count)
    }
    return count
  }

  private func write(_ manifest: Manifest, vaultID: VaultID) throws {
    var writer = JSONLineWriter()
    writer.beginObject()
    writer.name("schema")
    writer.value("fueki.export-manifest/1")
    writer.name("vault_id")
    writer.value(vaultID.hex)
    writer.name("sections")
    writer.beginObject()
    for (section, records) in counts {
      writer.name(MemberName(section.name))
      writer.value(records)
    }
    writer.endObject()
    if let losses { Self.write(losses, to: &writer) }
    writer.name("manifest")
    let record: [UInt8] = try manifest.serializedBytes()
    try RecordTranscoder.write(record.span, as: .manifest, to: &writer)
    writer.endObject()
    writer.endLine()
    let directory = try scratch.directory()
    let file = try ExportFile("manifest.json", in: directory)
    try file.append(writer.bytes)
    try file.sync()
  }
}

extension ExportDestination {
  private static func write(_ losses: Losses, to writer: inout JSONLineWriter) {
    writer.name("lost_records")
    writer.beginObject()
    for loss in losses.sections {
      writer.name(MemberName(Section(rawValue: loss.section)?.name ?? "section-\(loss.section)"))
      writer.value(loss.lostRecords)
    }
    writer.endObject()
    guard !losses.scopes.isEmpty else { return }
    writer.name("lost_scopes")
    writer.beginList()
    for scope in losses.scopes { writer.value(scope.name) }
    writer.endList()
  }
}

/// A format that records are exported in; files' contents are files in any.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// One JSON object a line.
  case jsonl
  /// Comma-separated values, RFC 4180, the names of the members in the first row.
  case csv
  /// The slashing records among the files, as EIP-3076 exchanges them, and nothing else.
  case eip3076
}

/// One part of a file, and its line but for where the part went.
private struct ExportedPart: Sendable {
  let record: FilePart
  private let openLine: JSONLineWriter

  private static let fileName: MemberName = "file"
  private static let contentName: MemberName = "content"

  static func parts(of block: RecordBlock, _ table: RecordTable) throws -> [ExportedPart] {
    try block.messages.map { range in
      let message = Array(block.bytes[range])
      guard let record = try? FilePart(serializedBytes: message) else {
        throw RecordsError.malformedRecord(section: Section.files.name)
      }
      return ExportedPart(record: record, openLine: try table.openObject(message))
    }
  }

  /// The whole line; a part that no file took carries its content along.
  func line(writtenTo path: [UInt8]?) -> [UInt8] {
    var line = openLine
    if let path {
      line.name(Self.fileName)
      line.value(fileName: path.span)
    } else {
      line.name(Self.contentName)
      line.value(base64: record.content.span)
    }
    line.endObject()
    line.endLine()
    return line.bytes
  }
}

/// A directory that an export becomes, whatever is written into it.
public protocol ExportOutput: Destination {
  /// The paths, below the directory, of files of which the archive has not every part, once finished.
  var incompleteFiles: [String] { get }
  /// The files written under other names than their own, sorted; complete once finished.
  var renamedFiles: [RenamedFile] { get }
  /// Whether the directory's file system keeps permissions.
  ///
  /// Anyone who has a disk without them can read and change the files on it.
  var keepsPermissions: Bool { get }
  /// The keychain for secrets in the clear; nil if the format has no place for them.
  var keychain: (any KeychainAccess)? { get }
  /// Makes the directory that becomes the export, before anything is read.
  ///
  /// - Returns: its path, and that of the parent folder.
  /// - Throws: system errors.
  func prepare() throws -> (path: String, parent: String)
}

extension ExportDestination: ExportOutput {
  /// Secrets, each a file of its own.
  public var keychain: (any KeychainAccess)? { secrets }
}

extension ExportOutput {
  /// Always empty: the format has no files of other programs.
  public var renamedFiles: [RenamedFile] { [] }
}

/// The limits of an export, as in fueki-backup-export(1).
///
/// Exceeding one removes the whole export and throws ``ExportLimitError``.
package enum ExportLimits {
  /// The files and folders below `files/`, or of secrets: each of these becomes up to three files.
  package static let entries = 4 * BackupLimits.files
  /// The number of separate pieces of a file while others are still to come.
  package static let pieces = 1 << 14
  /// How much longer than all that its section holds a file may be, where parts of it are missing.
  static let missingByteCount: UInt64 = 64 << 20

  /// All lines or rows of a section that has so many bytes in the archive: they are two to four times as long in any
  /// wallet's archive.
  static func lineBytes(of section: UInt64) -> UInt64 { (16 << 20) + min(section, 1 << 48) * 32 }

  /// A file of a section that has so many bytes in the archive; of secrets, whose index does not say, so many so far.
  static func fileBytes(of section: UInt64) -> UInt64 { missingByteCount + min(section, 1 << 48) }
}

/// Why an archive is not exported: it would become far more than it is.
public enum ExportLimitError: Error, Equatable, Sendable {
  /// A section's lines would be far more than its records.
  case lines(section: String)
  /// A part of a file is far beyond everything that the archive holds of such files.
  case file(section: String)
  /// A file is in more pieces than any file is.
  case pieces(section: String)
  /// There are more files and folders than any wallet has.
  case entries(section: String)
}
