import FuekiStore
import FuekiWallet
import TestSupport
import Testing

/// What observers hear of a store.
@Suite final class ChangesTests {
  private let scratch: TemporaryDirectory
  private let store: WalletStore

  init() throws {
    scratch = try TemporaryDirectory()
    store = try WalletStore.create(scratch.path("data"))
  }

  @Test func `an observer has the answer now, and after each change of it`() async throws {
    var names = store.contacts.observe().map { $0.map(\.name) }.makeAsyncIterator()
    #expect(try await names.next() == [])
    var contact = Contact.new { $0.name = "Ada" }
    try store.contacts.save(contact)
    #expect(try await names.next() == ["Ada"])
    // No change of this answer, and none at all.
    try store.users.save(.new { $0.name = "Grace" })
    try store.contacts.delete("nobody")
    contact.name = "Ada L."
    try store.contacts.save(contact)
    #expect(try await names.next() == ["Ada L."])
    #expect(try store.contacts.delete(contact.recordID))
    #expect(try await names.next() == [])
    try store.close()
    #expect(try await names.next() == nil)
  }

  @Test func `a failed write is no change`() async throws {
    var changes = store.changes.makeAsyncIterator()
    #expect(throws: StoreError.self) { try store.transactions.save(.new { $0.status = "unknown" }) }
    struct Stopped: Error {}
    try store.contacts.save(.new { $0.name = "Ada" })
    #expect(await changes.next() != nil)
    try store.close()
    #expect(await changes.next() == nil)
  }

  @Test func `what another connection commits is heard of, as of another process`() async throws {
    let other = try WalletStore.open(scratch.path("data"))
    var counts = store.messages.observe().map(\.count).makeAsyncIterator()
    #expect(try await counts.next() == 0)
    // The observer knows the store's version once it has waited.
    try await Task.sleep(for: .seconds(3))
    try other.messages.save(contentsOf: (0..<3).map { number in .new { $0.text = "\(number)" } })
    #expect(try await counts.next() == 3)
    try other.close()
  }

  @Test func `several observers have each change, and one that ends leaves the others`() async throws {
    var first = store.contacts.observe().map(\.count).makeAsyncIterator()
    #expect(try await first.next() == 0)
    do {
      var second = store.contacts.observe(limit: 1).map(\.count).makeAsyncIterator()
      #expect(try await second.next() == 0)
      try store.contacts.save(.new { $0.name = "Ada" })
      #expect(try await second.next() == 1)
    }
    #expect(try await first.next() == 1)
    try store.contacts.save(.new { $0.name = "Grace" })
    #expect(try await first.next() == 2)
  }
}
