import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// A whole backup, with no command line around it.
struct BackupRunTests {
  /// So many contacts.
  private struct Contacts: Collector {
    let name = "contacts"
    let count: Int

    func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
      for number in 0..<count {
        var contact = Contact()
        contact.id = PackedText.pack("contact-\(number)")
        contact.name = "Aunt \(number)"
        try bundle.add(contact)
      }
      var report = SourceReport()
      report.name = name
      report.complete = true
      bundle.report(report)
    }
  }

  /// The reports of a run, in words, without its progress.
  private final class Reports {
    var lines: [String] = []

    func note(_ event: BackupEvent) {
      switch event {
      case .progress(.collecting(let source)): lines.append("collecting \(source)")
      case .progress: break
      case .comparing: lines.append("comparing")
      case .compared: lines.append("compared")
      case .continues(_, let number): lines.append("continues after \(number)")
      case .lastIsDamaged: lines.append("damaged")
      case .published: lines.append("published")
      }
    }
  }

  private func run(
    _ count: Int, _ target: String, _ state: StateDirectory, _ reports: Reports = Reports(),
    beside others: [any Collector] = [], reason: @escaping (any Error) -> String? = { _ in nil },
    change: (inout BackupRun) -> Void = { $0.onlyOnChange = true }
  ) throws -> BackupOutcome {
    let sample = try SampleBundle()
    var run = BackupRun(
      to: [Target(path: target)], CollectionRequest(), sample.facts,
      answers: BackupAnswers(
        collectors: { _ in others + [Contacts(count: count)] }, askedFor: { ["contacts"] },
        signing: { _ in .nobody },
        slots: { _ in sample.slots() }, trust: { Trust(remembered: state.vaults()) },
        archiveSecrets: { nil }, isOwnSigner: { _, _ in false }, reason: reason),
      report: { reports.note($0) })
    change(&run)
    try run.checkAnyTargetIsThere()
    return try run.run(
      of: NextVault(SampleBundle.vaultID), state: try state.lock(purpose: "test", processID: 1))
  }

  /// A source that adds a contact and then fails, or whose records change while they are written.
  private struct Failing: Collector {
    enum Way { case collecting, writing(Int) }
    private final class Count { var left: Int; init(_ left: Int) { self.left = left } }
    struct Refused: Error {}

    let name = "failing:place"
    let way: Way
    private let count: Count

    init(_ way: Way) {
      self.way = way
      if case .writing(let times) = way { count = Count(times) } else { count = Count(0) }
    }

    func collect(_ request: CollectionRequest, into bundle: inout BackupBundle.Builder) throws {
      var contact = Contact()
      contact.id = PackedText.pack("half")
      contact.name = "Half"
      try bundle.add(contact)
      if case .collecting = way { throw Refused() }
      guard count.left > 0 else { return bundle.report(report()) }
      count.left -= 1
      bundle.add(.wallets) { throw CollectError.sourceKeepsChanging(name: "failing:place") }
      bundle.report(report())
    }

    private func report() -> SourceReport {
      var report = SourceReport()
      report.name = name
      report.complete = true
      return report
    }
  }

  private func run(beside failing: Failing, isOnChange: Bool) throws -> BackupReport {
    let folder = try TemporaryDirectory()
    try folder.open().makeDirectory("target")
    let (target, state) = (folder.path("target"), StateDirectory(path: folder.path("state")))
    let reason: (any Error) -> String? = { $0 is Failing.Refused || $0 is CollectError ? "refused" : nil }
    let outcome = try run(20, target, state, beside: [failing], reason: reason) {
      $0.onlyOnChange = isOnChange
    }
    guard case .made(let made) = outcome else { throw Failing.Refused() }
    return made
  }

  @Test(arguments: [false, true])
  func `a source that fails half way is reported, and leaves nothing beside the others`(_ isOnChange: Bool)
    throws
  {
    let made = try run(beside: Failing(.collecting), isOnChange: isOnChange)
    #expect(made.archive.recordCounts[Section.contacts.rawValue] == 20 && !made.isComplete)
    let failed = try #require(made.bundle.reports.first { $0.name == "failing:place" })
    #expect(failed.excluded.map(\.what) == ["place"] && failed.excluded.map(\.reason) == ["refused"])
  }

  @Test(arguments: [false, true])
  func `a source that changes while it is written is collected again`(_ isOnChange: Bool) throws {
    let made = try run(beside: Failing(.writing(3)), isOnChange: isOnChange)
    #expect(made.archive.recordCounts[Section.contacts.rawValue] == 21 && made.isComplete)
  }

  @Test func `a source that never comes to rest is left out, and the others are in the archive`() throws {
    let made = try run(beside: Failing(.writing(.max)), isOnChange: false)
    #expect(made.archive.recordCounts[Section.contacts.rawValue] == 20 && !made.isComplete)
  }

  @Test func `an error that ends the run ends it`() throws {
    let folder = try TemporaryDirectory()
    try folder.open().makeDirectory("target")
    let state = StateDirectory(path: folder.path("state"))
    #expect(throws: Failing.Refused.self) {
      try run(20, folder.path("target"), state, beside: [Failing(.collecting)])
    }
  }

  @Test func `an archive is made once, and again where something has changed`() throws {
    let folder = try TemporaryDirectory()
    try folder.open().makeDirectory("target")
    let (target, state) = (folder.path("target"), StateDirectory(path: folder.path("state")))
    let reports = Reports()
    guard case .made(let first) = try run(20, target, state, reports) else {
      Issue.record("nothing was made")
      return
    }
    #expect(
      reports.lines == [
        "collecting contacts", "comparing", "compared", "collecting contacts", "published",
      ])
    guard case .unchanged(let unchanged, _) = try run(20, target, state) else {
      Issue.record("the same was made again")
      return
    }
    #expect(unchanged.link.digest == first.archive.digest.hex && unchanged.targets.map(\.path) == [target])
    guard case .made(let second) = try run(21, target, state) else {
      Issue.record("a change was passed over")
      return
    }
    #expect(second.archive.facts.sequence == first.archive.facts.sequence + 1)
    // How many contacts there are never stops a backup; that none is left does.
    guard case .made = try run(2, target, state) else {
      Issue.record("a change was passed over")
      return
    }
    #expect(throws: PublishError.emptied([.scope("profile", records: 2)])) { try run(0, target, state) }
  }

  @Test func `a target that is not there stops the run before anything is asked`() throws {
    let folder = try TemporaryDirectory()
    let state = StateDirectory(path: folder.path("state"))
    #expect(throws: TargetError.noTarget(path: folder.path("none"))) {
      try run(1, folder.path("none"), state)
    }
    #expect(try !folder.open().contains("state"))
  }
}
