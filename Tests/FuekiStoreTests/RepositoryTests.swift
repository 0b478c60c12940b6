import FoundationEssentials
import FuekiStore
import FuekiWallet
import GRDB
import StoreSupport
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct RepositoryTests {
  @Test func `wallets are found by their id`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var other = Samples.wallet(2)
    other.chainID = "10"
    other.address = Samples.address(1)
    try store.wallets.save(Samples.wallet(1))
    try store.wallets.save(other)
    #expect(try store.wallets.count() == 2)
    #expect(try store.wallets.find(id: Samples.id(2)) == other)
    #expect(try store.wallets.find(id: Samples.id(3)) == nil)
  }

  @Test func `a balance is set, and only of a wallet that is there`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    let balance = "1" + String(repeating: "0", count: 77)
    try store.wallets.setBalance(balance, of: Samples.id(1), at: 9)
    #expect(try store.wallets.find(id: Samples.id(1))?.balance == balance)
    #expect(throws: StoreError.noRecord(table: "wallets")) {
      try store.wallets.setBalance("1", of: Samples.id(2), at: 9)
    }
  }

  @Test func `a wallet goes with its assets, transactions and receipts, and with nothing else`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    for number in 1...2 {
      try store.wallets.save(Samples.wallet(number))
      try store.transactions.insert((0..<5).map { Samples.transaction(number * 100 + $0, wallet: number) })
      for place in 0..<5 { try store.receipts.save(Samples.receipt(number * 100 + place)) }
      try store.assets.save(
        .with {
          $0.id = Samples.id(50 + number); $0.walletID = Samples.id(number)
        })
    }
    #expect(try store.wallets.delete(id: Samples.id(1)))
    #expect(try !store.wallets.delete(id: Samples.id(1)))
    #expect(try store.transactions.count() == 5)
    #expect(try store.receipts.count() == 5)
    #expect(try store.assets.all().map(\.id) == [Samples.id(52)])
    #expect(
      try store.receipts.ofTransaction(Samples.transaction(200, wallet: 2).id) == [Samples.receipt(200)])
  }

  @Test func `a saved wallet keeps its children`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    try store.transactions.insert([Samples.transaction(1, wallet: 1)])
    var renamed = Samples.wallet(1)
    renamed.name = "renamed"
    renamed.clearBalance()
    try store.wallets.save(renamed)
    #expect(try store.wallets.all() == [renamed])
    #expect(try store.transactions.ofWallet(Samples.id(1), limit: 9).count == 1)
  }

  @Test func `transactions come newest first, page by page`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    try store.transactions.insert([3, 1, 5, 2, 4].map { Samples.transaction($0, wallet: 1) })
    let page = { try store.transactions.ofWallet(Samples.id(1), limit: 2, offset: $0).map(\.amount) }
    #expect(try page(0) == ["5", "4"])
    #expect(try page(2) == ["3", "2"])
    #expect(try page(4) == ["1"])
    #expect(try store.transactions.ofWallet(Samples.id(2), limit: 2) == [])
  }

  @Test func `pending transactions are those without a block`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    var pending = Samples.transaction(1, wallet: 1, status: "pending")
    pending.clearBlockNumber()
    try store.transactions.insert([pending, Samples.transaction(2, wallet: 1)])
    #expect(try store.transactions.pending() == [pending])
    #expect(try store.transactions.pending(wallet: Samples.id(1)) == [pending])
    #expect(try store.transactions.pending(wallet: Samples.id(2)) == [])
    var confirmed = pending
    confirmed.status = "confirmed"
    confirmed.blockNumber = .max
    try store.transactions.save(confirmed)
    #expect(try store.transactions.pending() == [])
    #expect(try store.transactions.withHash(pending.hash).map(\.blockNumber) == [.max])
  }

  @Test func `records that come before their parents are joined to them`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.receipts.save(Samples.receipt(1))
    try store.transactions.insert([Samples.transaction(1, wallet: 1)])
    try store.assets.save(
      .with {
        $0.id = Samples.id(5); $0.walletID = Samples.id(1)
      })
    #expect(try store.transactions.ofWallet(Samples.id(1), limit: 9) == [])
    try store.wallets.save(Samples.wallet(1))
    #expect(try store.transactions.ofWallet(Samples.id(1), limit: 9) == [Samples.transaction(1, wallet: 1)])
    #expect(try store.assets.ofWallet(Samples.id(1)).count == 1)
    #expect(try store.receipts.ofTransaction(Samples.transaction(1, wallet: 1).id) == [Samples.receipt(1)])
    try store.wallets.delete(id: Samples.id(1))
    #expect(try store.receipts.count() == 0)
  }

  @Test func `threads of a user are their own and those they write in`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    for number in 1...3 { try store.conversations.save(ChatUser.with { $0.id = Samples.id(number) }) }
    let threads: [ChatThread] = [
      .with {
        $0.id = Samples.id(11); $0.ownerID = Samples.id(1); $0.updatedAt = 1
      },
      .with {
        $0.id = Samples.id(12); $0.ownerID = Samples.id(2); $0.coAuthorIds = [Samples.id(1)]; $0.updatedAt = 2
      },
      .with {
        $0.id = Samples.id(13); $0.ownerID = Samples.id(3); $0.updatedAt = 3
      },
    ]
    for thread in threads { try store.conversations.save(thread) }
    #expect(try store.conversations.threads(ofUser: Samples.id(1)) == [threads[1], threads[0]])
    try store.conversations.deleteUser(id: Samples.id(1))
    #expect(try store.conversations.threads(ofUser: Samples.id(1)) == [])
    #expect(try store.conversations.threads(ofUser: Samples.id(2)).first?.coAuthorIds == [])
  }

  @Test func `a thread goes with its messages`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.conversations.save(ChatThread.with { $0.id = Samples.id(1) })
    for (number, text) in ["100% sure", "100 sure", "ビットコインを送金した", "a_b", "axb"].enumerated() {
      try store.conversations.save(
        ChatMessage.with {
          $0.id = Samples.id(number); $0.threadID = Samples.id(1); $0.text = text;
          $0.createdAt = Int64(number)
        })
    }
    let page = { try store.conversations.messages(inThread: Samples.id(1), limit: 2, offset: 1).map(\.text) }
    #expect(try page() == ["100 sure", "ビットコインを送金した"])
    try store.conversations.deleteThread(id: Samples.id(1))
    #expect(try page() == [])
    #expect(try store.read { try RecordShelf<ChatMessage>().count(in: $0) } == 0)
  }

  @Test func `contacts, settings, credentials, files and descriptors are kept`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let odd = Samples.awkward()
    for contact in odd.contacts { try store.contacts.save(contact) }
    for setting in odd.settings { try store.settings.save(setting) }
    for credential in odd.credentials { try store.credentials.save(credential) }
    for sharing in odd.sharings { try store.credentials.save(sharing) }
    for token in odd.tokens { try store.credentials.save(token) }
    try store.files.insert(odd.files)
    try store.keyShareDescriptors.save(Samples.descriptor(1))
    #expect(try store.contacts.all() == odd.contacts)
    #expect(try store.contacts.delete(id: odd.contacts[0].id))
    #expect(try store.settings.find(key: "theme") == odd.settings[0])
    try store.settings.save(
      .with {
        $0.key = "theme"; $0.value = "1"
      })
    #expect(try store.settings.find(key: "theme")?.value == "1")
    #expect(try store.credentials.all() == odd.credentials)
    #expect(try store.credentials.sharings() == odd.sharings)
    #expect(try store.credentials.tokenSharings() == odd.tokens)
    #expect(try store.files.parts(of: odd.files[0].id) == odd.files)
    #expect(
      try store.keyShareDescriptors.ofKey(Samples.descriptor(1).groupPublicKey) == [Samples.descriptor(1)])
  }
}
