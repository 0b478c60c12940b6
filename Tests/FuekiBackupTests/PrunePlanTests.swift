import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

struct PrunePlanTests {
  private static let day: UInt64 = 86_400
  private static let now: Int64 = 1_795_242_600

  /// One archive a day up to now, oldest first, each with so many recipients.
  private func fill(_ folder: borrowing TemporaryDirectory, recipients: [Int], dated: [Int: UInt64] = [:])
    throws
  {
    let sample = try SampleBundle()
    var previous = Digest.zero
    for (index, count) in recipients.enumerated() {
      let age = UInt64(recipients.count - 1 - index) * Self.day
      let draft = ArchiveDraft(
        vaultID: SampleBundle.vaultID, sequence: UInt64(index + 1), previous: previous,
        created: dated[index] ?? UInt64(Self.now) - age, signer: nil)
      let slots = try (0..<count).map { _ in
        NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all)
      }
      let written = try sample.bundle().write(
        to: ArchiveFile(folder.open().createFile("\(index + 1).fueki")), draft: draft, slots: slots,
        facts: ManifestFacts(program: "test", label: "test", device: "test"))
      previous = written.digest
    }
  }

  private func plan(_ folder: borrowing TemporaryDirectory, last: Int) throws -> PrunePlan {
    var rules = RetentionRules()
    rules.last = .number(last)
    return try PrunePlan(
      of: Target(path: folder.path), rules: rules, now: Self.now, trust: try Self.trust(folder)
    ) { _ in }
  }

  /// A machine that made all the archives that lie there.
  private static func trust(_ folder: borrowing TemporaryDirectory) throws -> Trust {
    let archives = try Target(path: folder.path).entries().compactMap(\.archive)
    var trust = Trust()
    for (vault, own) in Dictionary(grouping: archives, by: \.facts.vaultID) {
      var state = VaultState()
      state.accept(unsigned: own.map(\.statedDigest))
      trust.remember(state, of: vault)
    }
    return trust
  }

  private func removed(_ plan: PrunePlan) -> [String] { plan.removed.map(\.entry.name) }

  @Test func `a run removes what was decided, and a missing target stops only itself`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1])
    let elsewhere = try TemporaryDirectory()
    var rules = RetentionRules()
    rules.last = .number(1)
    var lines: [String] = []
    var run = PruneRun(
      of: [Target(path: elsewhere.path("none")), Target(path: folder.path)], by: rules,
      trust: try Self.trust(folder), now: Self.now
    ) { event in
      switch event {
      case .verifying(let file): lines.append("verifying \(file)")
      case .decided(let plan): lines.append("decided \(plan.removed.count)")
      case .removing(let file): lines.append("removing \(file)")
      case .removed(let report): lines.append("removed \(report.removed.count)")
      }
    }
    run.isTrial = true
    let state = try StateDirectory(path: elsewhere.path("state")).lock(purpose: "test", processID: 1)
    #expect(try run.run(state: state).targets.map { $0.report == nil } == [true])
    #expect(try Target(path: folder.path).entries().count == 3)
    run.isTrial = false
    let outcome = try run.run(state: state)
    #expect(
      outcome.failures.map(\.path) == [elsewhere.path("none")] && outcome.isPartial && !outcome.isDamaged)
    #expect(try Target(path: folder.path).entries().map(\.name) == ["3.fueki"])
    // The newest is read more than once over; what matters is the order of what is decided and done.
    let order = lines.filter { !$0.hasPrefix("verifying") }
    #expect(order == ["decided 2", "decided 2", "removing 1.fueki", "removing 2.fueki", "removed 2"])
  }

  @Test func `what no rule keeps goes, the oldest first`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1, 1])
    #expect(try removed(plan(folder, last: 2)) == ["1.fueki", "2.fueki"])
    #expect(try removed(plan(folder, last: 9)) == [])
  }

  @Test func `the newest that verifies stays, and where none does all stay`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1])
    func damage(_ name: String) throws {
      let file = try folder.open().openFileForWriting(name)
      let middle = try file.size() / 2
      let byte = try file.readExactly(1, at: middle)
      try file.pwriteAll([byte[0] ^ 1], at: middle)
    }
    try damage("3.fueki")
    let one = try plan(folder, last: 1)
    #expect(removed(one) == ["1.fueki"])
    #expect(one.vaults[0].verified?.name == "2.fueki")
    try damage("2.fueki")
    try damage("1.fueki")
    let none = try plan(folder, last: 1)
    #expect(removed(none) == [] && none.vaults[0].verified == nil)
    #expect(none.vaults[0].kept.allSatisfy { $0.reasons.contains(.noneVerifies) })
  }

  @Test func `the last archive with as many keys stays`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [2, 2, 1, 1])
    let plan = try plan(folder, last: 1)
    #expect(removed(plan) == ["1.fueki", "3.fueki"])
    let kept = try #require(plan.vaults[0].kept.first { $0.entry.name == "2.fueki" })
    #expect(kept.reasons == [.onlyOneOpenedBy("x25519")])
  }

  @Test func `of equal files one that is whole stays`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1])
    var bytes = try folder.read("1.fueki")
    try folder.write(bytes, to: "z.fueki")
    bytes[bytes.count / 2] ^= 1
    // The damaged file has the name that would come first.
    try folder.write(bytes, to: "0.fueki")
    let plan = try plan(folder, last: 1)
    #expect(plan.vaults[0].kept.map(\.entry.name) == ["1.fueki"])
    #expect(Set(removed(plan)) == ["0.fueki", "z.fueki"])
    #expect(plan.removed.allSatisfy { $0.copyOf == "1.fueki" })
  }

  @Test func `the future is reported`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1], dated: [0: UInt64(Self.now) * 2])
    let plan = try plan(folder, last: 2)
    #expect(removed(plan) == ["1.fueki"])
    #expect(plan.removed[0].entry.dated.isFutureDated(now: Self.now))
  }

  @Test func `a fork stays, and so does what is no whole archive`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1])
    let other = try TemporaryDirectory()
    try fill(other, recipients: [1])
    try folder.write(other.read("1.fueki"), to: "fork.fueki")
    try folder.write(Array(other.read("1.fueki").prefix(9000)), to: "part.fueki")
    try folder.write([1, 2, 3], to: "notes.txt")
    let plan = try plan(folder, last: 1)
    #expect(removed(plan) == ["2.fueki"])
    #expect(plan.passedOver.map(\.name) == ["part.fueki"])
  }
}
