import FuekiStore
import FuekiWallet
import TestSupport
import Testing

/// Records by a part of a text.
@Suite struct SearchTests {
  private func withMessages(_ texts: [String], _ body: (WalletStore) throws -> Void) throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let thread = ChatThread.new { $0.title = "Rent" }
    try store.threads.save(thread)
    try store.messages.save(
      contentsOf: texts.enumerated().map { number, text in
        .new {
          ($0.threadID, $0.text) = (thread.id, text)
          if number > 0 { $0.createdAt = Int64(number) }
        }
      })
    try body(store)
  }

  @Test(
    arguments: [
      ("rent", ["Is the RENT paid?", "rent"]), ("LIFE", ["Café life"]), ("cafe", ["Café life"]),
      ("CAFE\u{301}", ["Café life"]), ("家賃", ["家賃を払った"]), ("ガス", ["ｶﾞｽ代"]), ("カス", []), ("ß", ["Straße"]),
      ("strasse", []), ("ÄRGER", ["Ärger"]), ("argers", []), ("", nil),
    ] as [(String, [String]?)])
  func `case and accents do not matter, and sounds do`(_ text: String, _ found: [String]?) throws {
    let texts = ["rent", "Café life", "家賃を払った", "ｶﾞｽ代", "Straße", "Ärger", "Is the RENT paid?"]
    try withMessages(texts) { store in
      let answer = try store.messages.search(text).map(\.text)
      #expect(answer == found ?? texts.dropFirst().reversed() + texts.prefix(1))
    }
  }

  @Test func `the newest come first, those without a time last, at most as many as wanted`() throws {
    try withMessages(["a0", "a1", "b2", "A3", "a4"]) { store in
      let found = try [9, 2, 0].map { try store.messages.search("a", limit: $0).map(\.text) }
      #expect(found == [["a4", "A3", "a1", "a0"], ["a4", "A3"], []])
    }
  }

  @Test func `other kinds have names, notes and titles, or nothing to search`() throws {
    try withMessages([]) { store in
      try store.contacts.save(.new { ($0.name, $0.notes) = ("Ada", "pays the Rent") })
      try store.users.save(.new { ($0.name, $0.email) = ("Grace", "grace@example.org") })
      #expect(try store.contacts.search("RENT").count == 1)
      #expect(try store.users.search("@EXAMPLE").count == 1)
      #expect(try store.threads.search("rent").count == 1)
      #expect(try store.settings.search("") == [])
    }
  }
}
