import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Complete restores, without the command line.
@Suite struct RestoreRunTests {
  private static let records: [any SectionRecord] =
    [Samples.wallet(1)] + (100..<300).map { Samples.transaction($0, wallet: 1) }

  /// A run's reported events as text.
  private final class Reports {
    var lines: [String] = []

    func note(_ event: RestoreEvent) {
      switch event {
      case .progress(.ended(let result)): lines.append(result.stage.rawValue)
      case .progress: break
      case .beginsAnew: lines.append("begins anew")
      case .journalUnreadable: lines.append("journal unreadable")
      case .stagedAnew: lines.append("staged anew")
      case .anotherVault: lines.append("another vault")
      case .vaultNotContinued: lines.append("vault not continued")
      case .putBack(let path): lines.append("put back \(path)")
      }
    }
  }

  private func make(_ scratch: borrowing TemporaryDirectory) throws -> StateDirectory {
    var descriptor = Samples.descriptor(9)
    descriptor.walletID = Samples.id(1)
    try Merging.make(scratch.path("other"), Self.records, shares: [(descriptor, "secret")])
    try Pipeline.write(
      try Merging.bundle(scratch.path("other")), to: scratch.path("a.fueki"), withPassphrase: true)
    return StateDirectory(path: scratch.path("state"))
  }

  private func order(_ directory: String, _ policy: ConflictPolicy = .fail) -> RestoreOrder {
    RestoreOrder(into: directory, .everything, ofWallets: [], onConflict: policy)
  }

  private func run(
    _ order: RestoreOrder, _ path: String, _ state: StateDirectory, keychain passphrase: String = "p",
    report: @escaping (RestoreEvent) throws -> Void
  ) throws -> RestoreRun {
    let stored = try StoredArchive(at: path)
    let archive = ArchiveToRestore(
      path: path, stored: stored, ownership: .unknown, siblings: [stored], trust: Trust(), trusted: nil,
      known: nil, isLatest: false, targets: [])
    let answers = RestoreAnswers(
      archiveSecrets: { UnlockingSecrets(passphrases: [try Samples.secret(Pipeline.passphrase)]) },
      presentKeychain: { try Cheap.opening(passphrase) },
      presentKeychainUnasked: { nil }, newKeychain: { _ in [try Cheap.slot("p")] }, hazards: { _ in },
      isOwnSigner: { _, _ in false })
    var run = RestoreRun(
      order, from: archive, state: state, program: "test", answers: answers, report: report)
    // The shares of these tests are on no curve.
    run.options.acceptsDifferences = true
    return run
  }

  @Test func `a run passes all stages, forgets its journal and remembers the archive`() throws {
    let scratch = try TemporaryDirectory()
    let state = try make(scratch)
    let reports = Reports()
    let outcome = try run(order(scratch.path("data")), scratch.path("a.fueki"), state) { reports.note($0) }
      .run()
    #expect(reports.lines == RestoreStage.allCases.map(\.rawValue))
    #expect(outcome.merge == nil && outcome.recovered.restored[.transactions] == 200)
    #expect(try Merging.contents(scratch.path("data")) == Merging.contents(scratch.path("other")))
    #expect(try state.restoreJournal(of: scratch.path("data")) == nil)
    // The archive's passphrase is the known one, which proves its origin.
    #expect(
      try state.vault(Pipeline.vaultID).known?.digest == outcome.recovered.archive.digest.hex)
  }

  @Test func `a run that is stopped part-way is gone on with, and a new one begins anew`() throws {
    let scratch = try TemporaryDirectory()
    let state = try make(scratch)
    let (data, path) = (scratch.path("data"), scratch.path("a.fueki"))
    let stop: (RestoreEvent) throws -> Void = { event in
      if case .progress(.restoring(.transactions, _, _)) = event { throw Interrupted() }
    }
    #expect(throws: RestoreError.stopped) { try run(order(data), path, state, report: stop).run() }
    #expect(try !scratch.open().contains("data"))
    let again = Reports()
    #expect(throws: RestoreError.stopped) {
      try run(order(data), path, state) {
        again.note($0)
        try stop($0)
      }.run()
    }
    #expect(again.lines.first == "begins anew")
    guard case .rest(let rest) = try RestoreOrder.resuming(data, state) else {
      Issue.record("nothing is left to do")
      return
    }
    let reports = Reports()
    _ = try run(rest, path, state) { reports.note($0) }.run()
    #expect(reports.lines == RestoreStage.allCases.map(\.rawValue))
    #expect(try Merging.contents(data) == Merging.contents(scratch.path("other")))
    #expect(throws: RestoreError.nothingStopped(path: data)) { try RestoreOrder.resuming(data, state) }
  }

  @Test func `a merge whose keychain stays closed changes nothing`() throws {
    let scratch = try TemporaryDirectory()
    let state = try make(scratch)
    var other = Samples.descriptor(8)
    other.walletID = Samples.id(1)
    try Merging.make(scratch.path("data"), [Samples.wallet(1)], shares: [(other, "another")])
    let before = try Merging.contents(scratch.path("data"))
    #expect(throws: RestoreError.presentKeychainClosed) {
      try run(
        order(scratch.path("data"), .skip), scratch.path("a.fueki"), state, keychain: "wrong",
        report: { _ in }
      ).run()
    }
    #expect(try Merging.contents(scratch.path("data")) == before)
    #expect(try scratch.open().list().compactMap(\.text).sorted() == ["a.fueki", "data", "other", "state"])
  }

  @Test func `a preview counts, and writes nothing`() throws {
    let scratch = try TemporaryDirectory()
    let state = try make(scratch)
    try Merging.make(scratch.path("data"), [Samples.wallet(1)])
    let preview = try run(
      order(scratch.path("data")), scratch.path("a.fueki"), state, report: { _ in }
    ).preview()
    #expect(preview.counts[.wallets]?.equal == 1 && preview.counts[.transactions]?.added == 200)
    #expect(try !scratch.open().contains("state"))
  }
}
