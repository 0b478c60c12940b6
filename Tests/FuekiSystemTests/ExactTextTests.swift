import FoundationEssentials
import FuekiSystem
import Testing

/// Texts that are compared by their bytes.
struct ExactTextTests {
  /// Texts of which Swift takes two for one.
  private static let twins: [(String, String)] = [
    ("/disk/Kl\u{E9}", "/disk/Kle\u{301}"), ("Kraken", "\u{212A}raken"), ("\u{3A9}", "\u{2126}"),
  ]

  @Test(arguments: twins)
  func `canonically equal texts are two, also in sets, and in an order`(_ one: String, _ other: String) {
    #expect(one == other)
    #expect(ExactText(one) != ExactText(other) && ExactText(one) == ExactText(one))
    #expect(Set([ExactText(one), ExactText(other), ExactText(one)]).count == 2)
    #expect((ExactText(one) < ExactText(other)) != (ExactText(other) < ExactText(one)))
    #expect(!ExactText("\(one)/file").hasPrefix(other) && ExactText("\(one)/file").hasPrefix(one))
  }

  @Test func `a document has it as a plain string`() throws {
    let texts = Self.twins.flatMap { [$0.0, $0.1] }
    let coded = try JSONEncoder().encode(texts.map { ExactText($0) })
    #expect(try coded == JSONEncoder().encode(texts))
    #expect(try JSONDecoder().decode([ExactText].self, from: coded) == texts.map { ExactText($0) })
  }

  @Test(arguments: twins)
  func `both keys of a dictionary come back from a document`(_ one: String, _ other: String) throws {
    let numbers: [ExactText: Int] = [ExactText(one): 1, ExactText(other): 2, "%:a%": 3, "/plain %41": 4]
    let coded = try JSONEncoder().encode(numbers)
    #expect(try JSONDecoder().decode([ExactText: Int].self, from: coded) == numbers)
  }

  @Test func `an ordinary key is as it was, and an earlier version's keys are read`() throws {
    let ordinary = "/media/disk 1/a%41:b"
    let coded = try JSONEncoder().encode([ExactText(ordinary): 1])
    #expect(try coded == JSONEncoder().encode([ordinary: 1]))
    for (text, _) in Self.twins {
      let earlier = try JSONEncoder().encode([text: 1])
      #expect(try JSONDecoder().decode([ExactText: Int].self, from: earlier) == [ExactText(text): 1])
    }
  }

  @Test(arguments: ["%:a%", "%:a%4", "%:%e9", "%:%zz"])
  func `a malformed key is refused`(_ key: String) throws {
    let coded = try JSONEncoder().encode([key: 1])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ExactText: Int].self, from: coded) }
  }

  @Test func `a path is below a folder by its bytes`() {
    // The mark at the beginning of the name joins the slash before it.
    #expect("/home/a/\u{301}x".isBelow("/home/a") && !"/home/a/\u{301}x".hasPrefix("/home/a/"))
    #expect("/home/a/b/c".isBelow("/home/a") && "/home".isBelow("/") && "/home/a/b".isBelow("/home/a/"))
    #expect(!"/home/ab".isBelow("/home/a") && !"/home/a".isBelow("/home/a") && !"/home/a/".isBelow("/home/a"))
    #expect(!"/disk/Kl\u{E9}/x".isBelow("/disk/Kle\u{301}"))
  }
}
