import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

/// Every conflict rule with a record of every kind.
@Suite struct MergeRuleTests {
  /// Creates a wallet's data directory, and an archive in which every record differs.
  private func prepare(_ scratch: borrowing TemporaryDirectory, _ kinds: [MergeKind]) throws {
    try Merging.make(scratch.path("data"), kinds.map(\.there))
    try Merging.make(scratch.path("other"), kinds.map(\.archived))
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
  }

  private func contents(_ scratch: borrowing TemporaryDirectory, of records: [any SectionRecord]) throws
    -> [Section: BundleFingerprint.Entry]
  {
    try Merging.make(scratch.path("expected"), records)
    return try Merging.contents(scratch.path("expected"))
  }

  @Test func `fail lists every record with what differs, and changes nothing`() throws {
    let scratch = try TemporaryDirectory()
    let kinds = MergeKind.all(after: 1)
    try prepare(scratch, kinds)
    let before = try scratch.read("data/wallet.sqlite")
    let names = try scratch.open().list()
    var found: [RestoreConflict] = []
    do {
      try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
    } catch RestoreError.conflicts(let conflicts) {
      found = conflicts
    }
    #expect(found.map(\.section) == kinds.map { type(of: $0.there).section })
    for (conflict, kind) in zip(found, kinds) {
      #expect(Set(conflict.fields) == Set(kind.fields + [kind.time].compactMap(\.self)))
      #expect(conflict.resolution == .none && !conflict.id.isEmpty)
    }
    #expect(try scratch.read("data/wallet.sqlite") == before)
    #expect(try scratch.open().list() == names)
  }

  @Test func `skip keeps what is there, and names it`() throws {
    let scratch = try TemporaryDirectory()
    let kinds = MergeKind.all(after: 1)
    try prepare(scratch, kinds)
    let before = try Merging.contents(scratch.path("data"))
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .skip)
    #expect(report.conflicts.count == kinds.count && report.conflicts.allSatisfy { $0.resolution == .kept })
    #expect(report.previous == nil)
    #expect(try Merging.contents(scratch.path("data")) == before)
  }

  @Test func `replace takes the archive's, and twice changes nothing`() throws {
    let scratch = try TemporaryDirectory()
    let kinds = MergeKind.all(after: -1)
    try prepare(scratch, kinds)
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .replace)
    #expect(
      report.conflicts.count == kinds.count && report.conflicts.allSatisfy { $0.resolution == .replaced })
    let expected = try contents(scratch, of: kinds.map(\.archived))
    #expect(try Merging.contents(scratch.path("data")) == expected)
    let again = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
    #expect(again.changesNothing && again.conflicts.isEmpty && again.previous == nil)
    #expect(again.counts.values.allSatisfy { $0.equal == 1 && $0.all == 1 })
    #expect(try Merging.contents(scratch.path("data")) == expected)
  }

  @Test(arguments: [Int64(5), 0, -5])
  func `newer takes what was changed last, and keeps what is there where that is not known`(shift: Int64)
    throws
  {
    let scratch = try TemporaryDirectory()
    let kinds = MergeKind.all(after: shift)
    try prepare(scratch, kinds)
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .newer)
    #expect(report.conflicts.count == kinds.count)
    let expected = kinds.map { shift > 0 && $0.time != nil ? $0.archived : $0.there }
    #expect(try Merging.contents(scratch.path("data")) == contents(scratch, of: expected))
    for (conflict, kind) in zip(report.conflicts, kinds) {
      #expect(conflict.resolution == (shift > 0 && kind.time != nil ? .replaced : .kept))
    }
    try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .newer)
    #expect(try Merging.contents(scratch.path("data")) == Merging.contents(scratch.path("expected")))
  }

  @Test func `rename adds wallets and contacts beside those that are there, with what belongs to them`()
    throws
  {
    let scratch = try TemporaryDirectory()
    let kinds = MergeKind.all(after: 1)
    try prepare(scratch, kinds)
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .rename)
    let renamed = report.conflicts.filter { $0.resolution == .renamed }
    #expect(renamed.map(\.section) == [.wallets, .contacts])
    #expect(renamed.map(\.fields) == [["name", "updated_at"], ["notes", "updated_at"]])
    let store = try WalletStore.open(scratch.path("data"))
    let wallets = try store.wallets.fetch()
    #expect(wallets.map(\.name) == ["wallet 1", "other (restored)"])
    #expect(try store.contacts.fetch().map(\.name) == ["Ann", "Ann (restored)"])
    // Assets, transactions and receipts exist twice, each with its own wallet.
    let second = wallets[1].id
    #expect(try store.assets.fetch(.of(wallet: RecordID(packed: Samples.id(1)))).map(\.balance) == [""])
    #expect(try store.assets.fetch(.of(wallet: RecordID(packed: second))).map(\.balance) == ["5"])
    #expect(
      try store.transactions.fetch(.of(wallet: RecordID(packed: Samples.id(1)))).map(\.status) == ["pending"])
    let transaction = try #require(try store.transactions.fetch(.of(wallet: RecordID(packed: second))).first)
    #expect(transaction.status == "confirmed" && transaction.id != Samples.transaction(1, wallet: 1).id)
    #expect(try store.receipts.fetch(.of(transaction: transaction.recordID)).map(\.gasUsed) == ["1"])
    try store.close()
    let after = try Merging.contents(scratch.path("data"))
    let again = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .rename)
    #expect(again.previous == nil && again.changesNothing)
    #expect(try Merging.contents(scratch.path("data")) == after)
  }

  @Test func `awkward records are all there already, and none is added`() throws {
    let scratch = try TemporaryDirectory()
    let odd = Samples.awkward()
    var records: [any SectionRecord] = odd.wallets
    records += odd.assets as [any SectionRecord]
    records += odd.contacts as [any SectionRecord]
    records += odd.settings as [any SectionRecord]
    records += odd.credentials as [any SectionRecord]
    records += odd.files as [any SectionRecord]
    records += odd.transactions as [any SectionRecord]
    records += odd.receipts as [any SectionRecord]
    records += odd.sharings as [any SectionRecord]
    records += odd.tokens as [any SectionRecord]
    records += odd.users as [any SectionRecord]
    records += odd.threads as [any SectionRecord]
    records += odd.messages as [any SectionRecord]
    try Merging.make(scratch.path("data"), records)
    try Merging.archive(scratch.path("data"), scratch.path("a.fueki"))
    let before = try Merging.contents(scratch.path("data"))
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
    #expect(report.changesNothing, "\(report)")
    #expect(try Merging.contents(scratch.path("data")) == before)
    // Merging into an empty wallet adds every record once.
    try Merging.make(scratch.path("empty"), [])
    try Merging.run(scratch.path("a.fueki"), into: scratch.path("empty"), .fail)
    let filled = try Merging.contents(scratch.path("empty"))
    #expect(filled.mapValues(\.records) == before.mapValues(\.records))
    let again = try Merging.run(scratch.path("a.fueki"), into: scratch.path("empty"), .fail)
    #expect(again.changesNothing, "\(again)")
    #expect(try Merging.contents(scratch.path("empty")) == filled)
  }

  @Test func `of two sync states of a wallet, the later block counts, whichever was changed last`() throws {
    let scratch = try TemporaryDirectory()
    var there = Samples.wallet(1)
    there.updatedAt = 2
    there.lastSynced.height = 10
    there.balance = "10"
    there.keychains = [
      .with {
        $0.name = "external"; $0.lastRevealed = 9
      }
    ]
    var archived = Samples.wallet(1)
    archived.updatedAt = 1
    archived.name = "older"
    archived.lastSynced.height = 20
    archived.balance = "20"
    archived.gapLimit = 50
    archived.keychains = [
      .with {
        $0.name = "external"; $0.lastRevealed = 4; $0.lastUsed = 3
      }
    ]
    try Merging.make(scratch.path("data"), [there])
    try Merging.make(scratch.path("other"), [archived])
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .newer)
    #expect(report.conflicts.map(\.resolution) == [.advanced])
    let store = try WalletStore.open(scratch.path("data"))
    let wallet = try #require(try store.wallets.fetch().first)
    #expect(wallet.name == "wallet 1" && wallet.lastSynced.height == 20 && wallet.balance == "20")
    #expect(wallet.gapLimit == 50)
    #expect(
      wallet.keychains == [
        .with {
          $0.name = "external"; $0.lastRevealed = 9; $0.lastUsed = 3
        }
      ])
    try store.close()
    #expect(try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .newer).previous == nil)
  }

  @Test(arguments: [ConflictPolicy.replace, .skip, .newer])
  func `the parts of a file come from one version of it`(policy: ConflictPolicy) throws {
    let scratch = try TemporaryDirectory()
    func parts(_ bytes: [UInt8], total: UInt64, at time: Int64) -> [FilePart] {
      bytes.enumerated().map { place, byte in
        .with {
          $0.id = Data(repeating: 1, count: 16)
          $0.path = Data([65])
          $0.offset = UInt64(place)
          $0.total = total
          $0.content = Data([byte])
          $0.modifiedAt = time
        }
      }
    }
    let old = parts([1, 2, 3], total: 3, at: 1)
    let new = parts([1, 9], total: 2, at: 2)
    try Merging.make(scratch.path("data"), old)
    try Merging.make(scratch.path("other"), new)
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), policy)
    #expect(report.conflicts.count == 1)
    let store = try WalletStore.open(scratch.path("data"))
    #expect(
      try store.files.fetch(.file(RecordID(packed: Data(repeating: 1, count: 16))))
        == (policy == .skip ? old : new))
  }
}
