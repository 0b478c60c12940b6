import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiWallet
import GRDB
import SwiftProtobuf
import TestSupport
import Testing

/// Records that describe the same thing under different ids.
@Suite struct MergeMatchingTests {
  @Test func `a wallet of the same chain and address is that wallet, with all that belongs to it`() throws {
    let scratch = try TemporaryDirectory()
    var mine = Samples.wallet(1)
    mine.address = PackedText.pack("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
    var theirs = mine
    theirs.id = Samples.id(50)
    // The same address without its checksum casing.
    theirs.address = PackedText.pack("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
    theirs.name = mine.name
    var asset = Asset.with {
      $0.id = Samples.id(60)
      $0.walletID = mine.id
      $0.contract = Samples.address(3)
      $0.tokenID = "4"
    }
    var theirAsset = asset
    theirAsset.id = Samples.id(61)
    theirAsset.walletID = theirs.id
    let transaction = Samples.transaction(1, wallet: 1)
    var theirTransaction = transaction
    theirTransaction.id = Samples.hash(777)
    theirTransaction.walletID = theirs.id
    var theirReceipt = Samples.receipt(1)
    theirReceipt.transactionID = theirTransaction.id
    let new = Samples.transaction(2, wallet: 50)
    let report = try Merging.twice(
      [mine, asset, transaction],
      [theirs, theirAsset, theirTransaction, new, theirReceipt, Samples.receipt(2)], scratch, .skip)
    // Only the spelling of the address differs.
    #expect(report.conflicts.map(\.fields) == [["address"]])
    #expect(report.counts[.assets]?.equal == 1 && report.counts[.transactions]?.equal == 1)
    #expect(report.counts[.transactions]?.added == 1 && report.counts[.receipts]?.added == 2)
    let store = try WalletStore.open(scratch.path("data"))
    #expect(try store.wallets.fetch() == [mine])
    #expect(try store.assets.fetch(.of(wallet: mine.recordID)) == [asset])
    var expected = new
    expected.walletID = mine.id
    #expect(try store.transactions.fetch(.of(wallet: mine.recordID)) == [expected, transaction])
    theirReceipt.transactionID = transaction.id
    #expect(try store.receipts.fetch(.of(transaction: transaction.recordID)) == [theirReceipt])
    #expect(try store.receipts.fetch(.of(transaction: new.recordID)) == [Samples.receipt(2)])
    asset.balance = ""
  }

  @Test func `a contact, a transaction and a receipt are found by what they are of`() throws {
    let scratch = try TemporaryDirectory()
    var contact = Contact()
    contact.id = Samples.id(1)
    contact.address = Samples.address(1)
    contact.chainFamily = "evm"
    var other = contact
    other.id = Samples.id(2)
    other.name = "other"
    var transaction = Samples.transaction(1, wallet: 1)
    transaction.id = Samples.hash(555)
    transaction.status = "failed"
    var receipt = Samples.receipt(2)
    receipt.id = Samples.id(9)
    receipt.gasUsed = "3"
    let report = try Merging.twice(
      [
        Samples.wallet(1), contact, Samples.transaction(1, wallet: 1), Samples.transaction(2, wallet: 1),
        Samples.receipt(2),
      ],
      [Samples.wallet(1), other, transaction, Samples.transaction(2, wallet: 1), receipt], scratch, .replace)
    #expect(report.conflicts.map(\.section) == [.contacts, .transactions, .receipts])
    #expect(report.conflicts.map(\.fields) == [["name"], ["status"], ["gas_used"]])
    let store = try WalletStore.open(scratch.path("data"))
    other.id = contact.id
    #expect(try store.contacts.fetch() == [other])
    transaction.id = Samples.transaction(1, wallet: 1).id
    #expect(try store.transactions.find(transaction.recordID) == transaction)
    #expect(try store.transactions.count() == 2)
    receipt.id = Samples.receipt(2).id
    #expect(
      try store.receipts.fetch(.of(transaction: Samples.transaction(2, wallet: 1).recordID)) == [receipt])
  }

  @Test func `what the archive has twice on purpose is not taken for what is there once`() throws {
    let scratch = try TemporaryDirectory()
    // A transaction with two transfers: one hash and wallet, two records, of which the wallet has one.
    var second = Samples.transaction(1, wallet: 1)
    second.id = Samples.hash(888)
    second.amount = "77"
    let contact = Contact.with {
      $0.id = Samples.id(1); $0.address = Samples.address(1); $0.name = "work"
    }
    let home = Contact.with {
      $0.id = Samples.id(2); $0.address = Samples.address(1); $0.name = "home"
    }
    let report = try Merging.twice(
      [Samples.wallet(1), contact, Samples.transaction(1, wallet: 1)],
      [Samples.wallet(1), home, contact, second, Samples.transaction(1, wallet: 1)], scratch)
    #expect(report.conflicts.isEmpty)
    #expect(report.counts[.contacts]?.added == 1 && report.counts[.transactions]?.added == 1)
  }

  @Test(arguments: [ConflictPolicy.replace, .newer])
  func `two of an archive's records that have one id do not take each other's place`(policy: ConflictPolicy)
    throws
  {
    let scratch = try TemporaryDirectory()
    func contact(_ name: String, at time: Int64) -> Contact {
      Contact.with {
        $0.id = Samples.id(1); $0.name = name; $0.updatedAt = time
      }
    }
    let (first, second) = (contact("first", at: 2), contact("second", at: 3))
    func receipt(_ id: Int, _ gas: String) -> Receipt {
      var receipt = Samples.receipt(1)
      (receipt.id, receipt.gasUsed) = (Samples.hash(id), gas)
      return receipt
    }
    // The transaction is missing, so that the record replacing a receipt gets another row.
    let gone = [receipt(1, "1"), receipt(2, "2")]
    let report = try Merging.twice(
      [contact("there", at: 1)] + gone, [first, second, receipt(1, "3"), receipt(3, "4")], scratch, policy)
    let store = try WalletStore.open(scratch.path("data"))
    #expect(try store.contacts.fetch().map(\.name) == ["first", "second"])
    #expect(report.counts[.contacts]?.added == 1 && report.counts[.contacts]?.differing == 1)
    if policy == .replace {
      let kept = try store.receipts.fetch(.of(transaction: RecordID(packed: gone[0].transactionID))).map(
        \.gasUsed)
      #expect(Set(kept) == ["3", "4"], "the third is the second under another id")
    }
  }

  @Test func `a transaction and the transfers in it are not taken for one another`() throws {
    let scratch = try TemporaryDirectory()
    let whole = Samples.transaction(1, wallet: 1)
    func transfer(_ id: Int, _ metadata: String, amount: String) -> Transaction {
      var transfer = whole
      (transfer.id, transfer.metadata, transfer.amount) = (Samples.hash(id), metadata, amount)
      return transfer
    }
    let first = transfer(881, #"{"trace":"0"}"#, amount: "7")
    let token = transfer(882, #"{"token":"0x22","logIndex":1}"#, amount: "7")
    // Another machine's transfers: one already present under another id, one without a trace, and new ones.
    let same = transfer(981, #"{"trace":"0"}"#, amount: "7")
    let bare = transfer(982, "note", amount: "7")
    let second = transfer(983, #"{"trace":"1"}"#, amount: "7")
    let report = try Merging.twice(
      [Samples.wallet(1), first, token], [Samples.wallet(1), whole, same, bare, second], scratch, .newer)
    #expect(report.counts[.transactions]?.added == 2)
    let store = try WalletStore.open(scratch.path("data"))
    let kept = try store.transactions.fetch(.hash(whole.hash))
    #expect(Set(kept.map(\.id)) == Set([first, token, whole, second].map(\.id)))
  }

  @Test func `a transaction of two wallets is in both`() throws {
    let scratch = try TemporaryDirectory()
    var other = Samples.transaction(1, wallet: 2)
    other.id = Samples.hash(999)
    let report = try Merging.twice(
      [Samples.wallet(1), Samples.transaction(1, wallet: 1)], [Samples.wallet(2), other], scratch)
    #expect(report.counts[.transactions]?.added == 1 && report.conflicts.isEmpty)
  }

  @Test func `records of another version's columns, marks, and parents that come later find their place`()
    throws
  {
    let scratch = try TemporaryDirectory()
    try Merging.make(scratch.path("data"), [Samples.transaction(1, wallet: 1), Samples.receipt(4)])
    try Merging.make(
      scratch.path("other"), [Samples.wallet(1), Samples.transaction(4, wallet: 1), Samples.receipt(1)])
    try execute(
      scratch.path("other"),
      "ALTER TABLE transactions ADD COLUMN risk INTEGER; UPDATE transactions SET risk = 7")
    try execute(
      scratch.path("other"),
      "INSERT INTO marks (section, id, problem) SELECT 32, id, 'odd' FROM transactions")
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    try Merging.run(scratch.path("a.fueki"), into: scratch.path("data"), .fail)
    let store = try WalletStore.open(scratch.path("data"))
    #expect(try store.transactions.fetch(.of(wallet: RecordID(packed: Samples.id(1)))).count == 2)
    #expect(
      try store.receipts.fetch(.of(transaction: Samples.transaction(1, wallet: 1).recordID)) == [
        Samples.receipt(1)
      ])
    #expect(
      try store.receipts.fetch(.of(transaction: Samples.transaction(4, wallet: 1).recordID)) == [
        Samples.receipt(4)
      ])
    #expect(try rows(scratch.path("data"), "SELECT count(*) FROM unclaimed_receipts") == [[0.databaseValue]])
    #expect(
      try rows(scratch.path("data"), "SELECT risk FROM transactions ORDER BY row_id") == [
        [.null], [7.databaseValue],
      ])
    #expect(try rows(scratch.path("data"), "SELECT count(*) FROM marks") == [[1.databaseValue]])
  }
}
