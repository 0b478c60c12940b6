import FoundationEssentials
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct RepositoryTests {
  @Test(arguments: RecordKind.all.filter { $0.recordType != nil }.map(\.section))
  func `a record of each kind is added, found, changed and removed`(section: Section) throws {
    if let type = section.kind.recordType { try keep(type) }
  }

  private func keep<Record: SectionRecord>(_ type: Record.Type) throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let records = store.records(of: type)
    let (first, second) = (try Samples.new(type), try Samples.new(type))
    #expect(try records.find(first.recordID) == nil)
    #expect(throws: StoreError.noRecord(table: type.kind.tables[0])) {
      try records.update(first.recordID) { _ in }
    }
    try records.save(first)
    try records.save(first)
    try records.save(second)
    #expect(try records.count() == 2)
    let expected = try [first, second].map { try $0.serializedBytes() as [UInt8] }
    #expect(try records.fetch().map { try $0.serializedBytes() as [UInt8] } == expected)
    #expect(try records.fetch(.all.reversed()).map(\.recordID) == [second.recordID, first.recordID])

    // What this version does not know, in the schema's place for it and beyond the schema.
    let extra = try Wallet.with { $0.extra = [Extra("note", json: "1")] }.serializedBytes() as [UInt8]
    let unknown: [UInt8] = [0x9A, 0x06, 0x02, 0x61, 0x62]
    let changed = try records.update(first.recordID) { try $0.merge(serializedBytes: extra + unknown) }
    let length = expected[0].count + extra.count + unknown.count
    #expect(try (changed.serializedBytes() as [UInt8]).count == length)
    let found = try #require(try records.find(first.recordID))
    #expect(try found.serializedBytes() as [UInt8] == changed.serializedBytes())
    #expect(try records.count() == 2)
    try records.save(found)
    #expect(try records.find(first.recordID)?.serializedBytes() as [UInt8]? == changed.serializedBytes())

    #expect(try records.delete(first.recordID))
    #expect(try !records.delete(first.recordID))
    #expect(try records.fetch().map(\.recordID) == [second.recordID])
  }

  @Test func `a change that fails changes nothing`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let wallet = Samples.wallet(1)
    try store.wallets.save(wallet)
    #expect(throws: CancellationError.self) {
      try store.wallets.update(wallet.recordID) {
        $0.name = "other"
        throw CancellationError()
      }
    }
    #expect(throws: StoreError.invalid(table: "wallets", problems: ["the id is another one"])) {
      try store.wallets.update(wallet.recordID) { $0.id = Samples.id(2) }
    }
    #expect(try store.wallets.fetch() == [wallet])
  }

  @Test func `a new record has an id of its own`() throws {
    let wallets = (0..<3).map { number in Wallet.new { $0.name = "\(number)" } }
    #expect(Set(wallets.map(\.recordID)).count == 3 && wallets[2].name == "2")
    #expect(
      wallets.allSatisfy { $0.recordID.text?.count == 36 && RecordID($0.recordID.description) == $0.recordID }
    )
    #expect(KeyShareDescriptor.new { _ in }.id.count == 16)
    #expect(Setting.new { $0.key = "theme" }.recordID == "theme")
    #expect(RecordID(packed: Data([9, 255])).description == "09ff")
  }

  @Test func `of many records with one id the last stays`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var wallets = [1, 2, 1].map { Samples.wallet($0) }
    wallets[2].name = "last"
    try store.wallets.save(contentsOf: wallets)
    #expect(try store.wallets.fetch().map(\.name) == ["last", "wallet 2"])
  }

  @Test func `a wallet goes with its assets, transactions and receipts, and with nothing else`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    for number in 1...2 {
      try store.wallets.save(Samples.wallet(number))
      let transactions = (0..<5).map { Samples.transaction(number * 100 + $0, wallet: number) }
      try store.transactions.save(contentsOf: transactions)
      for place in 0..<5 { try store.receipts.save(Samples.receipt(number * 100 + place)) }
      try store.assets.save(.with { ($0.id, $0.walletID) = (Samples.id(50 + number), Samples.id(number)) })
    }
    #expect(try store.wallets.delete(Samples.wallet(1).recordID))
    #expect(try store.transactions.count() == 5)
    #expect(try store.receipts.count() == 5)
    #expect(try store.assets.fetch().map(\.id) == [Samples.id(52)])
    #expect(try store.receipts.find(Samples.transaction(200, wallet: 2).recordID) == Samples.receipt(200))
  }

  @Test func `a saved wallet keeps its children`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let wallet = Samples.wallet(1)
    try store.wallets.save(wallet)
    try store.transactions.save(Samples.transaction(1, wallet: 1))
    let renamed = try store.wallets.update(wallet.recordID) {
      $0.name = "renamed"
      $0.clearBalance()
    }
    #expect(try store.wallets.fetch() == [renamed])
    #expect(try store.transactions.count(.of(wallet: wallet.recordID)) == 1)
  }

  @Test func `records that come before their parents are joined to them`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let (wallet, transaction) = (Samples.wallet(1), Samples.transaction(1, wallet: 1))
    try store.receipts.save(Samples.receipt(1))
    try store.transactions.save(transaction)
    try store.assets.save(.with { ($0.id, $0.walletID) = (Samples.id(5), Samples.id(1)) })
    #expect(try store.transactions.fetch(.of(wallet: wallet.recordID)) == [])
    try store.wallets.save(wallet)
    #expect(try store.transactions.fetch(.of(wallet: wallet.recordID)) == [transaction])
    #expect(try store.assets.count(.of(wallet: wallet.recordID)) == 1)
    #expect(try store.receipts.fetch(.of(transaction: transaction.recordID)) == [Samples.receipt(1)])
    try store.wallets.delete(wallet.recordID)
    #expect(try store.receipts.count() == 0)
  }

  @Test func `a transaction's receipt is replaced, and a second one of it is kept`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.transactions.save(Samples.transaction(1, wallet: 1))
    var (first, second) = (Samples.receipt(1), Samples.receipt(1))
    second.id = Samples.id(44)
    first.gasUsed = "1"
    try store.receipts.load([Samples.receipt(1), second, first])
    #expect(Set(try store.receipts.fetch(.of(transaction: first.recordID))) == [first, second])
    let id = first.recordID
    #expect(try store.receipts.update(id) { $0.gasUsed = "2" }.gasUsed == "2")
    #expect(try store.receipts.count() == 2)
    #expect(try store.receipts.delete(id))
    #expect(try store.receipts.count() == 0 && store.transactions.count() == 1)
  }

  @Test func `a thread goes with its messages`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let thread = ChatThread.new { $0.title = "送金" }
    try store.threads.save(thread)
    for text in ["100% sure", "ビットコインを送金した"] {
      try store.messages.save(.new { ($0.threadID, $0.text) = (thread.id, text) })
    }
    try store.threads.delete(thread.recordID)
    #expect(try store.messages.count() == 0)
  }

  @Test func `a file's parts are replaced one by one, and removed together`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var parts = Samples.awkward().files
    try store.files.load(parts.reversed())
    #expect(try store.files.fetch(.file(parts[0].recordID)) == parts)
    parts[1].content = Data([7])
    try store.files.save(parts[1])
    #expect(try store.files.fetch(.file(parts[0].recordID)) == parts)
    #expect(try store.files.find(parts[0].recordID) == parts[0])
    #expect(try store.files.delete(parts[0].recordID))
    #expect(try store.files.count() == 0)
  }

  @Test func `odd records come back as they were saved`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let odd = Samples.awkward()
    try store.contacts.load(odd.contacts)
    try store.settings.load(odd.settings)
    try store.credentials.load(odd.credentials)
    try store.credentialSharings.load(odd.sharings)
    try store.idTokenSharings.load(odd.tokens)
    #expect(try store.contacts.fetch() == odd.contacts)
    #expect(try store.settings.fetch() == odd.settings)
    #expect(try store.settings.find("é\0") == odd.settings[1])
    #expect(try store.settings.find(RecordID(packed: Data([9]))) == nil)
    #expect(try store.credentials.fetch() == odd.credentials)
    #expect(try store.credentialSharings.fetch() == odd.sharings)
    #expect(try store.idTokenSharings.fetch() == odd.tokens)
  }
}
