internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

/// The folder of one section's secrets in an export.
struct SecretFolder: ~Copyable {
  private static let top = "secrets"
  private static let fileName: MemberName = "file"

  private let section: Section
  private let parent: Directory
  private let directory: Directory

  /// Opens the folder, or creates it (0700).
  init(of section: Section, in scratch: ExportScratch) throws {
    let export = try scratch.directory()
    if try !export.contains(Self.top) {
      try export.makeDirectory(Self.top)
      try export.sync()
    }
    let parent = try export.openDirectory(Self.top)
    if try !parent.contains(section.name) { try parent.makeDirectory(section.name) }
    directory = try parent.openDirectory(section.name)
    self.parent = parent
    self.section = section
  }

  /// Where in an export a secret is.
  static func path(_ section: Section, _ id: Data) -> String {
    "\(top)/\(section.name)/\(Hex.encode(id.span))"
  }

  /// Creates an empty file for a secret.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` if it already exists.
  func create(_ id: Data, suffix: String = "") throws {
    do {
      _ = try directory.createFile(Hex.encode(id.span) + suffix)
    } catch let error where error.isAlreadyThere {
      throw RecordsError.malformedRecord(section: section.name)
    }
  }

  /// Makes a file and fills it with a secret.
  func create(_ id: Data, suffix: String = "", holding secret: borrowing SecretBytes) throws {
    try create(id, suffix: suffix)
    try write(secret, to: id, suffix: suffix, at: 0)
  }

  /// Writes a secret into its file, waits until it is on the device, and compares it with what can be read
  /// there.
  ///
  /// - Throws: ``PlaceError/keychainDiffers``.
  func write(_ secret: borrowing SecretBytes, to id: Data, suffix: String = "", at offset: UInt64) throws {
    let file = try directory.openFileForWriting(Hex.encode(id.span) + suffix)
    try secret.withBytes { (bytes: Span<UInt8>) throws(SystemError) in try file.pwriteAll(bytes, at: offset) }
    try file.sync()
    guard try Self.part(of: file, at: offset, is: secret) else { throw PlaceError.keychainDiffers }
  }

  /// Whether a file is there and has these bytes and no others.
  func holds(_ id: Data, _ secret: borrowing SecretBytes) throws -> Bool {
    let name = Hex.encode(id.span)
    guard try directory.contains(name) else { return false }
    let file = try directory.openFile(name)
    guard try file.size() == UInt64(secret.count) else { return false }
    return try Self.part(of: file, at: 0, is: secret)
  }

  /// Writes the unknown fields of a secret's record, which may be secret themselves.
  func keepUnknownFields(_ id: Data, _ fields: SharedSecret?) throws {
    guard let fields else { return }
    try create(id, suffix: ".unknown-fields", holding: fields.bytes)
  }

  /// Writes the rest of a secret's record next to it.
  func describe<Record: SectionRecord>(_ id: Data, as record: Record) throws {
    guard let table = RecordTable.of(Record.section) else { return }
    try write(table.openObject(try record.serializedBytes()), describing: id)
  }

  /// Writes the rest of a secret's record next to it.
  func describe(_ id: Data, _ members: (inout JSONLineWriter) -> Void) throws {
    var writer = JSONLineWriter()
    writer.beginObject()
    members(&writer)
    try write(writer, describing: id)
  }

  /// Waits until the names are on the device.
  func sync() throws {
    try directory.sync()
    try parent.sync()
  }

  private func write(_ object: JSONLineWriter, describing id: Data) throws {
    var writer = object
    writer.name(Self.fileName)
    writer.value(Self.path(section, id))
    writer.endObject()
    writer.endLine()
    let file = try ExportFile(Hex.encode(id.span) + ".json", in: directory)
    try file.append(writer.bytes)
    try file.sync()
  }

  private static func part(
    of file: borrowing File, at offset: UInt64, is secret: borrowing SecretBytes
  ) throws -> Bool {
    var readBack = try SecretBytes(count: secret.count)
    let count = try readBack.withMutableBytes { (bytes: inout MutableSpan<UInt8>) throws(SystemError) in
      try file.pread(into: &bytes, at: offset)
    }
    return count == secret.count && readBack.isEqualInConstantTime(to: secret)
  }
}
