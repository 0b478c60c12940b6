import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import Synchronization
import TestSupport
import Testing

/// A history as messages, handed out in small batches.
struct SampleHistory: Collector {
  let name = "history"
  let records: [Section: [[UInt8]]]

  func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
    var contact = Contact()
    contact.id = PackedText.pack("contact-1")
    try bundle.add(contact)
    var report = SourceReport()
    report.name = name
    report.complete = true
    for (section, messages) in records where !messages.isEmpty {
      let source = SharedSource(messages)
      bundle.add(section) { source.next() }
      report.include(UInt64(messages.count), in: section)
    }
    bundle.report(report)
  }

  /// The rest of a section, seven records a batch, with the second half of each made after the first.
  private final class SharedSource: Sendable {
    private let left: Mutex<ArraySlice<[UInt8]>>

    init(_ messages: [[UInt8]]) { left = Mutex(messages[...]) }

    func next() -> BatchJob? {
      let taken = left.withLock { left in
        defer { left = left.dropFirst(7) }
        return Array(left.prefix(7))
      }
      guard !taken.isEmpty else { return nil }
      return {
        var first = RecordBatch()
        for message in taken.prefix(4) { first.append(message) }
        first.rest = {
          var second = RecordBatch()
          for message in taken.dropFirst(4) { second.append(message) }
          return second
        }
        return first
      }
    }
  }
}

/// A machine that seals to one recipient, and opens nothing itself.
final class HistoryBench {
  let folder: TemporaryDirectory
  let state: StateDirectory
  let identity: SharedSecret
  var targets: [String] = ["target"]

  init() throws {
    let identity = SharedSecret(try SecretBytes.random(count: 32))
    let folder = try TemporaryDirectory()
    try folder.open().makeDirectory("target")
    try folder.open().makeDirectory("second")
    state = StateDirectory(path: folder.path("state"))
    self.identity = identity
    self.folder = folder
  }

  func slots() throws -> [NewSlot] { [.recipient(try X25519.publicKey(of: identity.bytes))] }

  /// Makes the vault's next archive.
  func make(
    _ records: [Section: [[UInt8]]], _ choice: HistoryChoice?, slots: [NewSlot]? = nil
  ) throws -> BackupReport {
    let (state, slots) = (state, try slots ?? self.slots())
    var run = BackupRun(
      to: targets.map { Target(path: folder.path($0)) }, CollectionRequest(),
      ManifestFacts(program: "tests", label: "sample", device: "bench"),
      answers: BackupAnswers(
        collectors: { _ in [SampleHistory(records: records)] }, askedFor: { [] }, signing: { _ in .nobody },
        slots: { _ in slots }, trust: { Trust(remembered: state.vaults()) }, archiveSecrets: { nil },
        isOwnSigner: { _, _ in false }),
      report: { _ in })
    run.options.history = choice
    run.acceptance.coversAll = true
    let outcome = try run.run(
      of: NextVault(SampleBundle.vaultID), state: try state.lock(purpose: "test", processID: 1))
    guard case .made(let report) = outcome else { throw NothingMade() }
    return report
  }

  /// Changes what the machine remembers.
  func change(_ body: (inout VaultState) -> Void) throws {
    let locked = try state.lock(purpose: "test", processID: 1)
    var vault = try state.vault(SampleBundle.vaultID)
    body(&vault)
    try locked.keep(vault, of: SampleBundle.vaultID)
  }

  func hasTable() throws -> Bool {
    try folder.open().openDirectory("state").contains(String(tablePath.split(separator: "/").last ?? ""))
  }

  var tablePath: String {
    folder.path("state/base-\(SampleBundle.vaultID.hex).table")
  }

  struct NothingMade: Error {}

  /// Records that make a history large, so that what differs is little of it.
  static func ballast(_ seed: UInt64) -> [[UInt8]] {
    var random = TestSupport.RandomSource(seed: seed)
    return (0..<8).map { message(id: "ballast-\($0)", body: random.bytes(100_000)) }
  }

  /// A message whose first field is an id, with something else behind it.
  static func message(id: String, body: [UInt8]) -> [UInt8] { field(1, Array(id.utf8)) + field(4, body) }

  /// A field of wire type 2, with a number below 16.
  static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = [number << 3 | 2]
    var length = bytes.count
    while length >= 0x80 {
      encoded.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    return encoded + [UInt8(length)] + bytes
  }
}
