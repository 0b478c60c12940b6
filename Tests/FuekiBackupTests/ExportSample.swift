internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
internal import Synchronization
internal import TestSupport

/// A JSON value, as Foundation reads it.
enum JSON: Decodable, Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let unsigned = try? value.decode(UInt64.self) {
      self = .unsigned(unsigned)
    } else if let real = try? value.decode(Double.self) {
      self = .real(real)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  subscript(index: Int) -> JSON? {
    guard case .list(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  var names: Set<String> {
    guard case .object(let members) = self else { return [] }
    return Set(members.keys)
  }

  static func parse(_ bytes: [UInt8]) throws -> JSON {
    try JSONDecoder().decode(JSON.self, from: Data(bytes))
  }

  /// Returns every line of a file, and requires that each ends.
  static func lines(_ bytes: [UInt8]) throws -> [JSON] {
    try bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { try parse(Array($0)) }
  }
}

/// A directory in which a test makes archives and exports.
///
/// A class, because the closures that `#expect` makes of its arguments cannot borrow what is noncopyable.
final class ExportWorkplace {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  func path(_ name: String) -> String { directory.path(name) }

  func read(_ name: String) throws -> [UInt8] { try directory.read(name) }

  func write(_ bytes: [UInt8], to name: String) throws { try directory.write(bytes, to: name) }

  /// Makes a directory, and those that lead to it.
  func makeDirectory(_ name: String) throws { try Directory.makePrivateDirectories(path(name)) }

  /// The names in the directory or in one below it.
  func names(in name: String = "") throws -> [String] {
    let opened = try Directory.open(path(name))
    return try opened.list().map { $0.text ?? "?" }
  }

  /// The permissions of everything in a directory, and its own last.
  func permissions(in name: String) throws -> [UInt16] {
    let opened = try Directory.open(path(name))
    let own = try opened.status().permissions
    return try opened.list().map { try opened.status(of: $0.name).permissions } + [own]
  }

  /// How many files are in a directory and below.
  func fileCount(in name: String) throws -> Int {
    let opened = try Directory.open(path(name))
    return try Self.fileCount(in: opened)
  }

  private static func fileCount(in directory: borrowing Directory) throws -> Int {
    var count = 0
    for entry in try directory.list() {
      if entry.kind == .file { count += 1 }
      guard entry.kind == .directory else { continue }
      let inner = try directory.openDirectory(entry.name)
      count += try fileCount(in: inner)
    }
    return count
  }

  /// Seals a bundle into a file of the directory.
  func seal(_ bundle: BackupBundle, as name: String = "a.fueki") throws -> StoredArchive {
    let directory = try directory.open()
    let created = try directory.createFile(name)
    let draft = ArchiveDraft(
      vaultID: SampleBundle.vaultID, sequence: 1, previous: .zero, created: 1_800_000_000)
    let facts = ManifestFacts(program: "test", label: "näme \"quoted\"", device: "machine")
    _ = try bundle.write(
      to: ArchiveFile(created), draft: draft,
      slots: [.recipient(try X25519.publicKey(of: Self.identity().bytes))], facts: facts)
    let written = try directory.openFile(name)
    return try StoredArchive(reading: ArchiveFile(written))
  }

  /// Exports an archive into a subdirectory.
  @discardableResult
  func export(
    _ archive: StoredArchive, to name: String = "out", includingSecrets: Bool = false
  ) throws -> (outcome: RestoreReport, destination: ExportDestination) {
    let destination = try ExportDestination(output: path(name))
    let outcome = try Self.recovery().run(archive, resyncer: nil, progress: { _ in }) { _ in
      (destination, includingSecrets ? destination.secrets : nil)
    }
    return (outcome, destination)
  }

  /// Builds, seals and exports a bundle; the export is in `out`.
  @discardableResult
  func export(
    includingSecrets: Bool = false, _ fill: (inout BackupBundle.Builder) throws -> Void
  ) throws -> ExportDestination {
    var builder = BackupBundle.Builder()
    try fill(&builder)
    let archive = try seal(builder.build())
    return try export(archive, includingSecrets: includingSecrets).destination
  }

  /// Returns a recovery that opens the archives of ``seal(_:as:)``.
  static func recovery() -> Recovery {
    Recovery(clock: { 0 }) { UnlockingSecrets(identities: [.x25519(try identity())]) }
  }

  /// A private key's 32 bytes, which opens an archive without a derivation.
  private static func identity() throws -> SharedSecret {
    let bytes = Array("32 bytes of an archive's reader.".utf8)
    return SharedSecret(try SecretBytes(copying: bytes.span))
  }
}

/// One record in a spelling of the test's own, handed out once.
final class OneBatch: Sendable {
  private let rest: Mutex<[UInt8]?>

  init(_ message: [UInt8]) { rest = Mutex(message) }

  func take() -> BatchJob? {
    guard let message = rest.withLock({ $0.take() }) else { return nil }
    return {
      var batch = RecordBatch()
      batch.append(message)
      return batch
    }
  }
}
