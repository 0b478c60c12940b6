import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import Synchronization
import TestSupport
import Testing

/// Archives that hold what differs from an earlier one, made by a machine that opens none.
struct DifferentialTests {
  /// A history that is large enough to be a base, with some more records.
  private static func history(_ more: [[UInt8]]) -> [Section: [[UInt8]]] {
    [.transactions: HistoryBench.ballast(1), .messages: more]
  }

  private static func record(_ id: String, _ text: String) -> [UInt8] {
    HistoryBench.message(id: id, body: Array(text.utf8))
  }

  /// Counts that the archive states of its result, but for what is empty.
  private static func counts(_ records: [Section: [[UInt8]]]) -> [UInt16: UInt64] {
    Dictionary(
      uniqueKeysWithValues: records.filter { !$0.value.isEmpty }.map {
        ($0.key.rawValue, UInt64($0.value.count))
      })
  }

  private static func expectDifferential(
    _ report: BackupReport, of base: BackupReport, holding records: [Section: [[UInt8]]],
    _ note: Comment = ""
  ) {
    #expect(report.fullReason == nil, note)
    #expect(report.archive.facts.base?.digest == base.archive.digest, note)
    let counts = report.archive.recordCounts.filter { (32...62).contains($0.key) }
    #expect(counts == Self.counts(records), note)
    #expect(report.archive.byteCount * 4 <= base.archive.byteCount, note)
  }

  @Test func `the first archive is a full one, and the next ones hold what differs from it`() throws {
    let bench = try HistoryBench()
    let first = Self.history((0..<40).map { Self.record("m\($0)", "text \($0)") })
    let base = try bench.make(first, .whenDue(every: #require(CalendarSpan("30d"))))
    #expect(base.fullReason == .noTable && base.archive.facts.base == nil && base.tableError == nil)
    var next = first
    next[.messages]?.append(Self.record("m40", "one more"))
    let second = try bench.make(next, .whenDue(every: #require(CalendarSpan("30d"))))
    Self.expectDifferential(second, of: base, holding: next)
    let own = second.archive.sections.filter { (32...62).contains($0.id) }
    #expect(own.map(\.id) == [38, 62] && own.map(\.records) == [1, 1])
    // A day later the base is the same one.
    next[.messages]?.removeFirst(3)
    let third = try bench.make(next, .differential)
    Self.expectDifferential(third, of: base, holding: next)
    #expect(third.archive.facts.previous == second.archive.digest)
  }

  @Test func `a plain archive keeps nothing of its history`() throws {
    let bench = try HistoryBench()
    let report = try bench.make(Self.history([]), nil)
    #expect(report.fullReason == nil && report.archive.facts.base == nil)
    #expect(try !bench.hasTable())
    #expect(try bench.state.vault(SampleBundle.vaultID).base == nil)
  }

  @Test func `a full archive is made where a differential one cannot be, and why is said`() throws {
    let bench = try HistoryBench()
    let history = Self.history([Self.record("m", "text")])
    #expect(throws: PublishError.notDifferential(.noTable)) { try bench.make(history, .differential) }
    #expect(try Target(path: bench.folder.path("target")).entries().isEmpty)
    let monthly = try HistoryChoice.whenDue(every: #require(CalendarSpan("30d")))
    func expectFull(_ reason: FullReason, _ choice: HistoryChoice, _ records: [Section: [[UInt8]]]) throws {
      let report = try bench.make(records, choice)
      #expect(report.fullReason == reason && report.archive.facts.base == nil)
      // From there it goes on.
      #expect(try bench.make(records, monthly).fullReason == nil)
    }
    try expectFull(.asked, .full, history)
    try expectFull(.due, .whenDue(every: #require(CalendarSpan("0d"))), history)
    let other = [UInt8](repeating: 9, count: 32)
    let stranger = try NewSlot.recipient(X25519.publicKey(of: SecretBytes(copying: other.span)))
    #expect(try bench.make(history, monthly, slots: bench.slots() + [stranger]).fullReason == .otherSecrets)
    try expectFull(.otherSecrets, monthly, history)
    var larger = history
    larger[.transactions] = HistoryBench.ballast(2)
    try expectFull(.tooLarge, monthly, larger)

    // A target that has no base gets a copy of it first.
    bench.targets = ["target", "second"]
    let next = try bench.make(larger, monthly)
    #expect(next.fullReason == nil && next.copies.copied.count == 1 && next.copies.isComplete)
    #expect(try bench.make(larger, .differential).copies.copied.isEmpty)
    // A base that no target has any more cannot be copied.
    let base = try #require(next.archive.facts.base?.digest)
    for name in bench.targets {
      let folder = bench.folder.path(name)
      let entries = try Target(path: folder).entries().filter { $0.archive?.statedDigest == base }
      for entry in entries { try Directory.open(folder).remove(entry.name) }
    }
    #expect(try bench.make(larger, monthly).fullReason == .baseMissing(target: bench.folder.path("target")))
    #expect(try bench.make(larger, .differential).paths.count == 2)
  }

  @Test func `a record whose id is too long to be kept is no record that can be removed`() throws {
    let bench = try HistoryBench()
    let long = Self.record(String(repeating: "x", count: 128), "text")
    let short = Self.record(String(repeating: "y", count: 127), "text")
    let base = try bench.make(Self.history([long, short]), .full)
    Self.expectDifferential(
      try bench.make(Self.history([long]), .differential), of: base, holding: Self.history([long]))
    #expect(throws: PublishError.notDifferential(.longIdentity)) {
      try bench.make(Self.history([short]), .differential)
    }
  }

  @Test func `a table that was changed or cut short is not believed`() throws {
    let bench = try HistoryBench()
    let history = Self.history((0..<9).map { Self.record("m\($0)", "text") })
    _ = try bench.make(history, .full)
    let table = try File.open(bench.tablePath).readAll(limit: 1 << 20)
    let state = try Directory.open(bench.state.path)
    let name = String(bench.tablePath.split(separator: "/").last ?? "")
    for place in stride(from: 0, to: table.count, by: 13) {
      var changed = table
      changed[place] ^= 1 << (place % 8)
      try state.writeWhole(changed, as: name, replacing: true)
      #expect(throws: PublishError.notDifferential(.damagedTable), "byte \(place)") {
        try bench.make(history, .differential)
      }
    }
    for length in [0, 8, 100, table.count / 2, table.count - 1] {
      try state.writeWhole(Array(table.prefix(length)), as: name, replacing: true)
      #expect(throws: PublishError.notDifferential(.damagedTable), "\(length) bytes") {
        try bench.make(history, .differential)
      }
    }
    try state.writeWhole(table, as: name, replacing: true)
    #expect(try bench.make(history, .differential).fullReason == nil)
    // The table is not secret, but it identifies the owner of the history.
    #expect(try File.open(bench.tablePath).permissions() == 0o600)
  }

  @Test func `a base that was not read for a week is read, and a damaged base is not used`() throws {
    let bench = try HistoryBench()
    let history = Self.history([Self.record("m", "text")])
    let base = try bench.make(history, .full)
    let week: Int64 = 7 * 86_400
    let now = SystemClock.now / 1_000_000
    let path = try #require(base.paths.first)
    let middle = base.archive.byteCount / 2
    let byte = try File.open(path).readExactly(1, at: middle)
    let file = try bench.folder.open().openDirectory("target").openFileForWriting(
      String(path.split(separator: "/").last ?? ""))
    try file.pwriteAll([byte[0] ^ 1], at: middle)
    // A check within the week is trusted. After that, the file is read again.
    #expect(try bench.make(history, .differential).fullReason == nil)
    try bench.change { vault in
      let places = vault.base?.verified ?? [:]
      vault.base?.verified = places.mapValues { _ in now - week - 1 }
    }
    #expect(throws: PublishError.notDifferential(.baseDamaged(target: bench.folder.path("target")))) {
      try bench.make(history, .differential)
    }
    try file.pwriteAll(byte, at: middle)
    #expect(try bench.make(history, .differential).fullReason == nil)
    let verified = try #require(try bench.state.vault(SampleBundle.vaultID).base?.verified)
    #expect(verified.values.allSatisfy { $0 >= now })
  }

  @Test func `a base that nothing vouches for the seals of is none`() throws {
    let bench = try HistoryBench()
    let history = Self.history([Self.record("m", "text")])
    let base = try bench.make(history, .full)
    let path = try #require(base.paths.first)
    let bytes = try File.open(path).readAll(limit: 1 << 24)
    let unproven = PublishError.notDifferential(.baseUnproven(target: bench.folder.path("target")))
    let file = try bench.folder.open().openDirectory("target").openFileForWriting(
      String(path.split(separator: "/").last ?? ""))
    // A copy that no key opens has the same digest, and every byte of it fits.
    try file.pwriteAll(bytes.withOtherSeals, at: 0)
    #expect(throws: unproven) { try bench.make(history, .differential) }
    try file.pwriteAll(bytes, at: 0)
    #expect(try bench.make(history, .differential).fullReason == nil)
    // As after a version that remembered no seals.
    try bench.change { $0.seals = [] }
    if try StoredArchive(at: path).facts.signatureCoversSeals {
      #expect(try bench.make(history, .differential).fullReason == nil)
    } else {
      #expect(throws: unproven) { try bench.make(history, .differential) }
    }
  }

  @Test func `a passphrase is tried on the base, unless it opened it or what was made from it`() throws {
    let bench = try HistoryBench()
    let history = Self.history([Self.record("m", "text")])
    let tried = TriedRecipient.Count()
    func make(_ choice: HistoryChoice, _ passphrase: String, opened: Digest? = nil) throws -> BackupReport {
      let slot = try TriedRecipient.slot(passphrase, opened: opened, tried)
      return try bench.make(history, choice, slots: [slot])
    }
    let base = try make(.full, "one").archive.digest
    let first = try make(.differential, "one", opened: base).archive.digest
    #expect(tried.value == 0)
    let second = try make(.differential, "one", opened: first).archive.digest
    #expect(tried.value == 0)
    // The passphrase was not tried, or tried on an archive without this base.
    _ = try make(.differential, "one")
    #expect(tried.value == 1)
    _ = try make(.differential, "one", opened: second)
    #expect(tried.value == 2)
    for opened in [nil, second] {
      #expect(throws: PublishError.notDifferential(.otherSecrets)) {
        try make(.differential, "another", opened: opened)
      }
    }
  }

  @Test func `prune keeps the base of what it keeps, and forgets a base that goes`() throws {
    let bench = try HistoryBench()
    let history = Self.history([Self.record("m", "text")])
    let base = try bench.make(history, .full)
    for _ in 0..<3 { _ = try bench.make(history, .differential) }
    func prune() throws -> PruneOutcome {
      var rules = RetentionRules()
      rules.last = .number(1)
      let trust = Trust(remembered: bench.state.vaults())
      let run = PruneRun(
        of: [Target(path: bench.folder.path("target"))], by: rules, trust: trust,
        now: SystemClock.now / 1_000_000
      ) { _ in }
      return try run.run(state: bench.state.lock(purpose: "test", processID: 1))
    }
    let kept = try prune().vaults.flatMap(\.kept)
    #expect(kept.map { $0.entry.dated.sequence } == [4, 1] && kept.last?.reasons == [.base])
    #expect(kept.last?.entry.archive?.statedDigest == base.archive.digest)
    // Once nothing needs it, it goes, and what was kept of it.
    _ = try bench.make(history, nil)
    _ = try prune()
    #expect(try Target(path: bench.folder.path("target")).entries().count == 1)
    #expect(try !bench.hasTable())
    #expect(try bench.state.vault(SampleBundle.vaultID).base == nil)
    #expect(throws: PublishError.notDifferential(.noTable)) { try bench.make(history, .differential) }
  }
}

/// A passphrase of which is known what it opened, and counted how often it was asked for to try it.
private struct TriedRecipient: Recipient {
  final class Count: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }

  let inner: any Recipient
  let openedArchive: Digest?
  let tried: Count
  var type: SlotType { inner.type }
  var text: String? { inner.text }
  var cost: Argon2id.Cost? { inner.cost }
  var opener: UnlockingSecrets? {
    tried.add()
    return inner.opener
  }

  static func slot(_ passphrase: String, opened: Digest?, _ tried: Count) throws -> NewSlot {
    let bytes = Array(passphrase.utf8)
    let secret = SharedSecret(try SecretBytes(copying: bytes.span))
    let slot = NewSlot.passphrase(secret, cost: SampleBundle.cost)
    return NewSlot(TriedRecipient(inner: slot.recipient, openedArchive: opened, tried: tried))
  }

  func wrap(_ randomness: FuekiArchive.RandomSource) throws -> WrappingSecret { try inner.wrap(randomness) }
}
