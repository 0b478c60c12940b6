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

  private func plan(
    _ folder: borrowing TemporaryDirectory, last: Int, _ trust: Trust? = nil
  ) throws -> PrunePlan {
    var rules = RetentionRules()
    rules.last = .number(last)
    return try PrunePlan(
      of: Target(path: folder.path), rules: rules, now: Self.now, trust: try trust ?? Self.trust(folder)
    ) { _ in }
  }

  /// Returns the trust of a machine that made all the folder's archives, and knows the seals of these; nil for all.
  private static func trust(_ folder: borrowing TemporaryDirectory, seals: [String]? = nil) throws -> Trust {
    let entries = try Target(path: folder.path).entries()
    var states: [VaultID: VaultState] = [:]
    for entry in entries {
      guard let archive = entry.archive else { continue }
      var state = states[archive.facts.vaultID] ?? VaultState()
      state.accept(unsigned: [archive.statedDigest])
      if seals?.contains(entry.name) ?? true { state.remember(sealsOf: archive) }
      states[archive.facts.vaultID] = state
    }
    var trust = Trust()
    for (vault, state) in states { trust.remember(state, of: vault) }
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

  /// The name that an archive is published under.
  private func ownName(_ folder: borrowing TemporaryDirectory, _ name: String) throws -> String {
    let found = try #require(try Target(path: folder.path).entries().first { $0.name == name }?.archive)
    return ArchiveName.make(label: "test", facts: found.facts, digest: found.statedDigest)
  }

  @Test func `of equal files the one under the archive's own name stays`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1])
    let own = try ownName(folder, "1.fueki")
    try folder.write(folder.read("1.fueki"), to: own)
    try folder.write(folder.read("1.fueki"), to: "z.fueki")
    let plan = try plan(folder, last: 1)
    #expect(plan.vaults[0].kept.map(\.entry.name) == [own])
    #expect(Set(removed(plan)) == ["1.fueki", "z.fueki"])
    #expect(plan.removed.allSatisfy { $0.copyOf == own })
  }

  @Test func `of equal files whose names show no copy all stay`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1])
    try folder.write(folder.read("1.fueki"), to: "0.fueki")
    let unnamed = try plan(folder, last: 1)
    #expect(removed(unnamed) == [])
    #expect(unnamed.vaults[0].kept.last?.reasons.last == .equal(to: "0.fueki"))
    let own = try ownName(folder, "1.fueki")
    try folder.write(folder.read("1.fueki"), to: own)
    // Anyone can write another label before the rest of the name.
    try folder.write(folder.read("1.fueki"), to: "aa" + own)
    #expect(try Set(removed(plan(folder, last: 1))) == ["0.fueki", "1.fueki"])
  }

  @Test func `a file that differs from the archive of its digest removes nothing, and neither does it go`()
    throws
  {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1])
    let own = try ownName(folder, "3.fueki")
    var bytes = try folder.read("3.fueki")
    try folder.write(bytes, to: own)
    try folder.open().remove("3.fueki")
    let known = try Self.trust(folder)
    bytes[bytes.count / 2] ^= 1
    try folder.write(bytes, to: "0.fueki")
    let damaged = try plan(folder, last: 1, known)
    #expect(removed(damaged) == ["1.fueki", "2.fueki"])
    #expect(damaged.vaults[0].verified?.name == own && damaged.vaults[0].disputed.count == 1)
    #expect(damaged.vaults[0].kept.count == 2)
    #expect(damaged.vaults[0].kept.allSatisfy { $0.reasons.contains(.otherBytes) })
  }

  @Test(arguments: [0, 1, 2])
  func `a copy with other seals decides nothing`(_ copied: Int) throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1])
    let known = try Self.trust(folder)
    let source = "\(copied + 1).fueki"
    try folder.write(folder.read(source).withOtherSeals, to: "0.fueki")
    let beside = try plan(folder, last: 1, known)
    #expect(beside.vaults[0].verified?.name == "3.fueki")
    #expect(!removed(beside).contains(source) && !removed(beside).contains("0.fueki"))
    // Alone, as in a target that the real one never reached.
    try folder.open().remove(source)
    let alone = try plan(folder, last: 1, known)
    #expect(alone.vaults[0].verified?.name == (copied == 2 ? "2.fueki" : "3.fueki"))
    #expect(!removed(alone).contains(copied == 2 ? "2.fueki" : "3.fueki"))
  }

  @Test func `a machine that knows no seals removes nothing, and an archive that it made settles that`()
    throws
  {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1, 1, 1])
    let strange = try plan(folder, last: 1, Self.trust(folder, seals: []))
    #expect(removed(strange) == [] && strange.vaults[0].verified == nil)
    #expect(strange.vaults[0].unproven?.name == "3.fueki" && strange.vaults[0].isUndecided)
    #expect(strange.vaults[0].kept.allSatisfy { $0.reasons.contains(.noneProven) })
    let second = try plan(folder, last: 1, Self.trust(folder, seals: ["2.fueki"]))
    #expect(removed(second) == ["1.fueki"])
    #expect(second.vaults[0].kept.first?.reasons.contains(.newestUnproven) == true)
  }

  @Test func `the file of another user is no reason to remove one's own`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1])
    let own = try ownName(folder, "1.fueki")
    try folder.write(folder.read("1.fueki"), to: own)
    let entries = try Target(path: folder.path).entries()
    var theirs = try #require(entries.first { $0.name == own })
    let mine = try #require(entries.first { $0.name == "1.fueki" })
    #expect(theirs.isOwn && mine.isOwn && EqualFiles([mine, theirs])?.stays.name == own)
    theirs.isOwn = false
    theirs.owner = (mine.owner ?? 0) &+ 1
    let files = try #require(EqualFiles([mine, theirs]))
    #expect(files.stays.name == "1.fueki" && !files.mayGo(theirs))
    var linked = mine
    linked.hasOtherNames = true
    #expect(EqualFiles([linked, mine])?.stays.hasOtherNames == false)
  }

  @Test func `a copy that changes after the decision stays`() throws {
    let folder = try TemporaryDirectory()
    try fill(folder, recipients: [1])
    let own = try ownName(folder, "1.fueki")
    var bytes = try folder.read("1.fueki")
    try folder.write(bytes, to: own)
    let plan = try plan(folder, last: 1)
    #expect(removed(plan) == ["1.fueki"])
    // Only reading all of it shows the difference.
    bytes[bytes.count / 2] ^= 1
    try folder.open().remove(own)
    try folder.write(bytes, to: own)
    let state = try TemporaryDirectory()
    let lock = try StateDirectory(path: state.path("state")).lock(purpose: "test", processID: 1)
    let report = try plan.run(state: lock) { _ in }
    #expect(report.removed.isEmpty && report.changed == ["1.fueki"])
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
