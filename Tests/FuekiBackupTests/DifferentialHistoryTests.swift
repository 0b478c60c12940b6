import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Random histories go into differential archives night by night, and come back out of two files as they were.
///
/// Seven vaults with three nights each; many more vaults with FUEKI_FULL=1.
struct DifferentialHistoryTests {
  private static let vaults = 1...(TestSeed.isFull ? 200 : 7)

  /// Made and read independently: compares the collected records with those of a reader who has the identity and the
  /// files, but not the state of the machine that made them.
  @Test(arguments: vaults)
  func `what is read of archive and base is what was collected, record by record`(_ vault: Int) throws {
    let bench = try HistoryBench()
    var random = TestSeed.random("vault \(vault)")
    var history = RandomHistory(&random)
    let base = try bench.make(history.sections, .full)
    for night in 1...3 {
      history.change(&random)
      let note: Comment = "vault \(vault), night \(night), FUEKI_SEED=\(TestSeed.value)"
      let report = try bench.make(history.sections, .differential)
      #expect(report.archive.facts.base?.digest == base.archive.digest, note)
      #expect(report.archive.byteCount * 4 <= base.archive.byteCount, note)
      try expect(report, in: bench, toHold: history, note)
    }
  }

  private func expect(
    _ report: BackupReport, in bench: HistoryBench, toHold history: RandomHistory, _ note: Comment
  ) throws {
    let found = try bench.read(report)
    var collected: [UInt16: [[UInt8]]] = [:]
    for (section, records) in history.sections where !records.isEmpty {
      collected[section.rawValue] = records
    }
    #expect(Set(found.keys) == Set(collected.keys), note)
    for (section, records) in collected {
      // The order has no meaning. Differences are counted, not printed, because they may be a megabyte.
      let (read, written) = (found[section, default: []].sorted(by: Self.less), records.sorted(by: Self.less))
      let differing = zip(read, written).count { $0 != $1 }
      #expect(read.count == written.count && differing == 0, "section \(section): \(note)")
    }
    let counts = report.archive.recordCounts.filter { (32...62).contains($0.key) }
    #expect(counts == collected.mapValues { UInt64($0.count) }, note)
  }

  private static func less(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }
}

extension HistoryBench {
  /// Returns all records of an archive's history, read with only its files and its identity.
  func read(_ report: BackupReport) throws -> [UInt16: [[UInt8]]] {
    let path = try #require(report.paths.first)
    let intact = try #require(try StoredArchive(reading: ArchiveFile.open(at: path)).verify().intact)
    let secrets = UnlockingSecrets(identities: [.x25519(identity)])
    let open = try intact.unlockAlone(with: secrets).joined(
      with: secrets, bases: BaseFinder(beside: path).candidates)
    var history: [UInt16: [[UInt8]]] = [:]
    for section in open.sections where (32...61).contains(section.id) {
      _ = try open.readRecords(of: section.id) { block in
        block.messages.map { Array(block.bytes[$0]) }
      } body: {
        history[section.id, default: []] += $0
      }
    }
    return history
  }
}
