import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct ValidationTests {
  @Test(arguments: RecordKind.all.filter { $0.recordType != nil }.map(\.section))
  func `a record without an id is refused, and nothing is added`(section: Section) throws {
    if let type = section.kind.recordType { try refuse(type) }
  }

  private func refuse<Record: SectionRecord>(_ type: Record.Type) throws {
    let scratch = try TemporaryDirectory()
    let records = try WalletStore.create(scratch.path("data")).records(of: type)
    #expect(throws: StoreError.self) { try records.save(Record()) }
    #expect(try records.count() == 0)
    let record = try Samples.new(type)
    #expect(throws: StoreError.self) { try records.save(contentsOf: [record, Record()]) }
    #expect(try records.count() == 0)
    try records.save(record)
    #expect(try records.fetch().map(\.recordID) == [record.recordID])
  }

  @Test func `the error names the broken rules, and a change cannot break one`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var wallet = Samples.wallet(1)
    try store.wallets.save(wallet)
    let problem = #"the balance "much" is not a decimal number"#
    #expect(throws: StoreError.invalid(table: "wallets", problems: [problem])) {
      try store.wallets.update(wallet.recordID) { $0.balance = "much" }
    }
    #expect(try store.wallets.fetch() == [wallet])
    wallet.kind = "lukewarm"
    wallet.chainID = "one"
    let problems = RecordValidation.problems(of: wallet)
    #expect(problems.count == 2)
    #expect(throws: StoreError.invalid(table: "wallets", problems: problems)) {
      try store.wallets.save(wallet)
    }
  }

  @Test func `a restore and a merge keep records that break rules`() throws {
    let scratch = try TemporaryDirectory()
    var odd = Samples.wallet(2)
    odd.balance = "much"
    let builder = try StoreBuilder(dataDirectory: scratch.path("data"))
    try builder.insert([Samples.wallet(1), odd])
    try builder.finish().close()
    try Pipeline.write(try Pipeline.bundle(scratch.path("data")), to: scratch.path("a.fueki"))
    let destination = try StoreDestination(dataDirectory: scratch.path("restored"), keychainSlots: [])
    try Pipeline.restore(scratch.path("a.fueki"), into: destination)
    let restored = try WalletStore.open(scratch.path("restored"))
    #expect(try restored.wallets.find(odd.recordID) == odd)
    try restored.wallets.delete(odd.recordID)
    try restored.close()
    try Pipeline.restore(scratch.path("a.fueki")) { archive in
      let merged = try MergeDestination(
        dataDirectory: scratch.path("restored"), archive: archive, onConflict: .skip, time: 0)
      return (merged, nil)
    }
    #expect(try WalletStore.open(scratch.path("restored")).wallets.find(odd.recordID) == odd)
  }
}
