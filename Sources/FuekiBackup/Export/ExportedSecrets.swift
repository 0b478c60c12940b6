internal import FoundationEssentials
internal import FuekiSystem
internal import SwiftProtobuf
public import FuekiCrypto
public import FuekiWallet

/// Secrets in the clear, below `secrets/` of an export, at the user's request.
///
/// Each secret is `secrets/<section name>/<id in hexadecimal>`, byte for byte and 0600, straight from protected memory.
/// The rest of its record is in `<id>.json` next to it.
public final class ExportedSecrets: KeychainAccess {
  private let scratch: ExportScratch
  private var used: Set<Section> = []
  private var entryCount = 0
  /// The bytes of the secret files so far.
  private var fileByteCount: UInt64 = 0
  private let digests = SecretDigests()
  private var files: [[UInt8]: FileParts] = [:]

  init(in scratch: ExportScratch) { self.scratch = scratch }

  /// Writes a key share and its descriptor.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` where another has its id.
  public func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws {
    try count(.keyShares)
    let folder = try SecretFolder(of: .keyShares, in: scratch)
    used.insert(.keyShares)
    try folder.create(descriptor.id, holding: secret)
    try folder.describe(descriptor.id, as: descriptor)
  }

  /// Writes a private key, or a part of a secret file, and what its record says.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` where its bytes are no such record, another has its
  ///   id, or a file's parts contradict one another.
  public func add(secretRecord: borrowing SecretBytes, of section: Section) throws {
    try count(section)
    let folder = try SecretFolder(of: section, in: scratch)
    used.insert(section)
    do {
      if section == .privateKeys {
        let key = try secretRecord.withBytes { try PrivateKeyRecord(decoding: $0) }
        try add(key, to: folder)
      } else {
        let part = try secretRecord.withBytes { try SecretFilePart(decoding: $0) }
        try add(part, to: folder)
      }
    } catch SecretRecordError.outOfMemory {
      throw CryptoError.outOfMemory
    } catch is SecretRecordError {
      throw RecordsError.malformedRecord(section: section.name)
    }
  }

  /// Waits until the names are on the device; the bytes are already.
  public func write() throws {
    for section in used.sorted() { try SecretFolder(of: section, in: scratch).sync() }
  }

  /// Whether the file on the disk is this very share.
  public func holds(share id: [UInt8], secret: borrowing SecretBytes) throws -> Bool {
    try SecretFolder(of: .keyShares, in: scratch).holds(Data(id), secret)
  }

  /// The paths, below the directory, of secret files of which the archive has not every part.
  var incompleteFiles: [String] {
    files.filter { !$0.value.cover }.map { id, _ in
      SecretFolder.path(.secretFiles, Data(id))
    }.sorted()
  }

  /// Each secret becomes up to three files.
  private func count(_ section: Section) throws(ExportLimitError) {
    entryCount += 3
    guard entryCount <= ExportLimits.entries else { throw .entries(section: section.name) }
  }

  private func add(_ key: PrivateKeyRecord, to folder: borrowing SecretFolder) throws {
    let id = Data(key.id)
    try folder.create(id, holding: key.secret.bytes)
    try folder.keepUnknownFields(id, key.unknownFields)
    try folder.describe(id) { writer in
      writer.name("id")
      writer.value(base64: id.span)
      if let walletID = key.walletID {
        writer.name("wallet_id")
        writer.value(packed: walletID.span)
      }
      writer.name("kind")
      writer.value(key.kind)
      writer.name("name")
      writer.value(key.name)
      if let createdAt = key.createdAt {
        writer.name("created_at")
        writer.value(microsecondsSince1970: createdAt)
      }
    }
  }

  private func add(_ part: SecretFilePart, to folder: borrowing SecretFolder) throws {
    let id = Data(part.id)
    let isNew = files[part.id] == nil
    var file = files.removeValue(forKey: part.id) ?? FileParts(total: part.total)
    defer { files[part.id] = file }
    let count = part.content.bytes.count
    let (end, overflow) = part.offset.addingReportingOverflow(UInt64(count))
    let digest = part.content.bytes.withBytes { digests.digest(of: $0) }
    let outcome = file.add(digest, count: count, at: part.offset, total: part.total)
    // An archive of version 0.2.0 may have a file twice, from its source and from a restored store.
    guard outcome != .repeated else { return }
    guard outcome == .new, !overflow else {
      throw RecordsError.malformedRecord(section: Section.secretFiles.name)
    }
    fileByteCount += UInt64(count)
    guard end <= ExportLimits.fileBytes(of: fileByteCount) else {
      throw ExportLimitError.file(section: Section.secretFiles.name)
    }
    guard file.rangeCount <= ExportLimits.pieces else {
      throw ExportLimitError.pieces(section: Section.secretFiles.name)
    }
    if isNew {
      try folder.create(id)
      try folder.keepUnknownFields(id, part.unknownFields)
      try folder.describe(id, as: try FilePart(describing: part))
    }
    try folder.write(part.content.bytes, to: id, at: part.offset)
  }
}

extension FilePart {
  /// Returns a part's facts about its file: all fields but the offset, the content and those unknown to this version.
  package init(describing part: SecretFilePart) throws {
    var facts = part
    (facts.offset, facts.unknownFields) = (0, nil)
    facts.content = SharedSecret(try SecretBytes(count: 0))
    let bytes = try facts.encoded().withBytes { bytes in bytes.indices.map { bytes[$0] } }
    self = try FilePart(serializedBytes: bytes)
  }
}

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
