import FuekiWallet
import Testing

/// Text with more combining marks on a letter than any language has.
struct BoundedTextTests {
  private static func marks(_ count: Int, _ mark: String = "\u{301}") -> String {
    "a" + String(repeating: mark, count: count)
  }

  private func isBounded(_ text: String) -> Bool { isBounded(Array(text.utf8)) }
  private func isBounded(_ bytes: [UInt8]) -> Bool { BoundedText.isBounded(bytes.span) }

  @Test(arguments: ["\u{301}", "\u{323}", "\u{1DC0}", "\u{1E8D0}", "\u{5B0}"])
  func `a letter has at most so many marks, in any of their lengths`(_ mark: String) {
    #expect(isBounded(Self.marks(BoundedText.markLimit, mark)))
    #expect(!isBounded(Self.marks(BoundedText.markLimit + 1, mark)))
    #expect(!isBounded("b" + Self.marks(BoundedText.markLimit + 1, mark) + "c"))
  }

  @Test func `marks of several letters are not added up`() {
    #expect(isBounded(String(repeating: Self.marks(BoundedText.markLimit), count: 3)))
    #expect(isBounded(String(repeating: Self.marks(BoundedText.markLimit) + "\u{4E00}", count: 3)))
    #expect(isBounded(String(repeating: "\u{200D}\u{1100}\u{1F468}", count: 10_000)))
    #expect(isBounded(""))
  }

  @Test func `bytes that are no text are letters`() {
    let half = Array(Self.marks(BoundedText.markLimit / 2 + 1).utf8.dropFirst())
    for broken in [[0xFF], [0xCC], [0xF4, 0x8F], [0xED, 0xA0, 0x80], [0x41]] as [[UInt8]] {
      #expect(isBounded(half + broken + half))
      #expect(String(bounded: half + [0xFF]) == nil)
    }
    #expect(String(bounded: half) == String(decoding: half, as: UTF8.self))
  }

  @Test func `a JSON text counts with its escapes`() throws {
    let escaped = String(repeating: #"\u0301\u0323"#, count: 100)
    for (text, isKept) in [(escaped, false), (Self.marks(200), false), (Self.marks(100), true)] {
      let bytes = Array(#"{"\#(text)":"\#(text)"}"#.utf8)
      let document = try JSONDocument(bytes, limit: 1 << 20)
      let member = try #require(document.root.children.first { _ in true })
      #expect((member.string != nil) == isKept && member.name.isEmpty != isKept)
    }
  }
}
