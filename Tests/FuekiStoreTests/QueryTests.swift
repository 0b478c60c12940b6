import FoundationEssentials
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct QueryTests {
  private func withStore(_ body: (WalletStore) throws -> Void) throws {
    let scratch = try TemporaryDirectory()
    try body(WalletStore.create(scratch.path("data")))
  }

  @Test func `wallets and contacts are found by their chain and by their address`() throws {
    try withStore { store in
      var wallets = (1...3).map { Samples.wallet($0) }
      wallets[1].chainID = "10"
      wallets[2].address = Samples.address(1)
      try store.wallets.load(wallets)
      #expect(try store.wallets.fetch(.chain("evm", "1")) == [wallets[0], wallets[2]])
      #expect(try store.wallets.fetch(.chain("evm", "")) == [])
      #expect(try store.wallets.fetch(.address(Samples.address(1)).reversed()) == [wallets[2], wallets[0]])
      #expect(try store.wallets.fetch(.address(Samples.address(2)).and(.chain("evm", "1"))) == [])
      #expect(try store.wallets.count(.address(Samples.address(2)).and(.chain("evm", "10"))) == 1)
      let contact = Contact.new {
        ($0.chainFamily, $0.chainID, $0.address) = ("evm", "1", Samples.address(1))
      }
      try store.contacts.save(contact)
      try store.contacts.save(.new { $0.name = "elsewhere" })
      #expect(try store.contacts.fetch(.chain("evm", "1")) == [contact])
      #expect(try store.contacts.fetch(.address(Samples.address(1))) == [contact])
    }
  }

  @Test func `transactions are found by wallet, hash and status, newest first`() throws {
    try withStore { store in
      let id = Samples.wallet(1).recordID
      for number in 1...2 { try store.wallets.save(Samples.wallet(number)) }
      var pending = [3, 4].map { Samples.transaction($0, wallet: $0 - 2, status: "pending") }
      pending[1].clearTimestamp()
      let confirmed = [1, 5, 2].map { Samples.transaction($0, wallet: 1) }
      try store.transactions.load(pending + confirmed)
      let amounts = { try store.transactions.fetch($0).map(\.amount) }
      #expect(try amounts(.of(wallet: id)) == ["5", "3", "2", "1"])
      #expect(try amounts(.of(wallet: id).reversed()) == ["1", "2", "3", "5"])
      #expect(try amounts(.pending) == ["3", "4"])
      #expect(try amounts(.pending.reversed()) == ["4", "3"])
      #expect(try amounts(.of(wallet: id).and(.pending)) == ["3"])
      #expect(try amounts(.hash(Samples.hash(5))) == ["5"])
      #expect(try amounts(.hash(Samples.hash(9))) == [])
      #expect(try amounts(.all) == ["3", "4", "1", "5", "2"])
      #expect(try store.transactions.fetch(.of(wallet: id), limit: 2).count == 2)
      #expect(try store.transactions.fetch(.of(wallet: id), limit: 0) == [])
      // A status and a balance are set as any other field.
      try store.transactions.update(pending[0].recordID) { $0.status = "confirmed" }
      #expect(try store.transactions.count(.pending) == 1)
    }
  }

  @Test func `credentials are found by issuer, type and expiry, the first to expire first`() throws {
    try withStore { store in
      let expiries: [Int64?] = [30, nil, 10, 20]
      let credentials = expiries.enumerated().map { number, expiry in
        Credential.new {
          $0.iss = number == 0 ? "https://issuer.example" : "other"
          $0.type = number == 1 ? "Passport" : "Licence"
          if let expiry { $0.exp = expiry }
        }
      }
      try store.credentials.load(credentials)
      #expect(try store.credentials.fetch(.issuer("https://issuer.example")) == [credentials[0]])
      #expect(try store.credentials.fetch(.type("Passport")) == [credentials[1]])
      #expect(try store.credentials.count(.type("Licence")) == 3)
      let expiring = {
        try store.credentials.fetch(.expiring(before: Timestamp(microseconds: $0))).map(\.exp)
      }
      #expect(try expiring(30_000_000) == [10, 20])
      #expect(try expiring(30_000_001) == [10, 20, 30])
      #expect(try expiring(10_000_000) == [])
      #expect(try expiring(-1) == [])
    }
  }

  @Test func `presentations are found by credential and by party`() throws {
    try withStore { store in
      let sharing = CredentialSharing.new {
        ($0.credentialID, $0.rp) = ("credential-1", "https://rp.example")
      }
      try store.credentialSharings.load([sharing, .new { $0.rp = "other" }])
      #expect(try store.credentialSharings.fetch(.of(credential: "credential-1")) == [sharing])
      #expect(try store.credentialSharings.fetch(.with("https://rp.example")) == [sharing])
      let token = IdTokenSharing.new { $0.rp = "https://rp.example" }
      try store.idTokenSharings.load([token, .new { $0.rp = "other" }])
      #expect(try store.idTokenSharings.fetch(.with("https://rp.example")) == [token])
    }
  }

  @Test func `threads of a user are their own and those they write in`() throws {
    try withStore { store in
      let users = (1...3).map { number in ChatUser.new { $0.name = "\(number)" } }
      for user in users { try store.users.save(user) }
      let threads = [(0, [Int]()), (1, [0]), (2, []), (0, [0])].map { owner, authors in
        ChatThread.new {
          $0.ownerID = users[owner].id
          $0.coAuthorIds = authors.map { users[$0].id }
        }
      }
      try store.threads.load(threads)
      #expect(try store.threads.fetch(.with(users[0].recordID)) == [threads[0], threads[1], threads[3]])
      #expect(try store.threads.fetch(.owned(by: users[0].recordID)) == [threads[0], threads[3]])
      #expect(try store.threads.count(.with(users[0].recordID)) == 3)
      try store.users.delete(users[0].recordID)
      // A thread keeps the ids of its authors, as an archive may hold them.
      #expect(try store.threads.fetch(.with(users[0].recordID)) == [threads[1]])
    }
  }

  @Test func `messages are found by thread, newest first, and by what they cite`() throws {
    try withStore { store in
      let thread = ChatThread.new { $0.title = "Rent" }
      try store.threads.save(thread)
      var messages: [ChatMessage] = []
      for number in 0..<3 {
        messages.append(
          .new {
            ($0.threadID, $0.createdAt) = (thread.id, Int64(number))
            $0.citationIds = messages.map(\.id)
          })
      }
      try store.messages.load(messages)
      #expect(try store.messages.fetch(.in(thread.recordID)) == messages.reversed())
      #expect(try store.messages.fetch(.in(thread.recordID).reversed()) == messages)
      #expect(try store.messages.fetch(.citing(messages[0].recordID)) == [messages[2], messages[1]])
      #expect(try store.messages.count(.citing(messages[2].recordID)) == 0)
    }
  }

  @Test func `key shares are found by their key`() throws {
    try withStore { store in
      var other = Samples.descriptor(2)
      other.groupPublicKey = Data(repeating: 3, count: 33)
      try store.keyShareDescriptors.load([Samples.descriptor(1), other])
      #expect(try store.keyShareDescriptors.fetch(.ofKey(other.groupPublicKey)) == [other])
    }
  }
}
