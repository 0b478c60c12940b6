import Testing
import fueki_backup

/// The keys of JSON documents.
struct DocumentKeyTests {
  private struct Inner: Encodable {
    let otherBytesThan = 1
    let sha256 = "f"
  }

  private struct Outer: Encodable {
    let longTerm = Inner()
    let `protocol` = "gg18"
    let absent: Int? = nil
    /// Names of sections, files or programs.
    let byName = ["Some/File": Inner(), "key-shares": Inner(), "xpubOf": Inner()]
  }

  @Test func `properties are in snake case, and a dictionary's keys stay as they are`() throws {
    let text = try #require(Document.text(Outer()))
    let inner = #"{"other_bytes_than":1,"sha256":"f"}"#
    let byName = #"{"by_name":{"Some/File":\#(inner),"key-shares":\#(inner),"xpubOf":\#(inner)}"#
    #expect(
      text.hasPrefix(byName + #","long_term":\#(inner),"#) && text.contains(#","protocol":"gg18","#),
      "\(text)")
  }
}
