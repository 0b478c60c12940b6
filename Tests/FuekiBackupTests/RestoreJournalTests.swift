import FuekiBackup
import FuekiWallet
import TestSupport
import Testing

struct RestoreJournalTests {
  @Test func `the journal of a restore in which many secrets differed is read again`() throws {
    let folder = try TemporaryDirectory()
    let state = try StateDirectory(path: folder.path("state")).lock(purpose: "test", processID: 1)
    var report = MergeReport()
    report.conflicts = (0..<20_000).map {
      RestoreConflict(
        section: .keyShares, id: "share \($0)", fields: ["secret", "epoch"], resolution: .kept)
    }
    var journal = RestoreJournal(
      dataDirectory: folder.path("data"), archive: folder.path("archive"), digest: "00",
      selection: .everything, wallets: [], policy: .skip, program: "1", began: 1)
    journal.secrets = RestoreJournal.Secrets(report)
    try state.keep(journal)
    let kept = try #require(try state.directory.restoreJournal(of: journal.dataDirectory))
    #expect(kept == journal && kept.secrets?.report.conflicts == report.conflicts)
  }
}
