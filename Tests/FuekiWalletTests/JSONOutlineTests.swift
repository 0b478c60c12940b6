import FuekiWallet
import TestSupport
import Testing

@Suite struct `JSON documents` {
  private static let limit = 1 << 20

  private func document(_ text: String) throws -> JSONDocument {
    try JSONDocument(Array(text.utf8), limit: Self.limit)
  }

  private func error(_ bytes: [UInt8]) -> JSONError? {
    do throws(JSONError) {
      _ = try JSONOutline(bytes.span, limit: Self.limit)
      return nil
    } catch {
      return error
    }
  }

  private func error(_ text: String) -> JSONError? { error(Array(text.utf8)) }

  @Test func `a number keeps every digit`() throws {
    let digits = String(repeating: "1234567890", count: 62)
    let root = try document(#"{"a": \#(digits), "b":-0.10e+05 ,"c":1E-7}"#).root
    #expect(root.member("a")?.number == digits)
    #expect(root.member("b")?.number == "-0.10e+05")
    #expect(root.member("c")?.number == "1E-7")
    #expect(root.member("a")?.string == nil)
  }

  @Test func `a byte order mark before the text is passed over, and nowhere else`() throws {
    #expect(try document("\u{FEFF}{\"a\":1}").root.member("a")?.number == "1")
    #expect(error("\u{FEFF}\u{FEFF}{}") != nil)
    #expect(error("{}\u{FEFF}") != nil)
    #expect(error("\u{FEFF}") != nil)
  }

  @Test(arguments: [
    "01", "-", "+1", "1.", ".5", "1e", "1e+", "-01", "0x10", "1.e3", "NaN", "Infinity", "- 1",
  ])
  func `a number that JSON does not know is refused`(text: String) {
    #expect(error(text) != nil)
    #expect(error("[\(text)]") != nil)
  }

  @Test func `strings are unescaped, and pairs of surrogates joined`() throws {
    let source = #"["a\"\\\/\b\f\n\r\tz", "\u00e9\u0065\u0301", "\ud83d\ude80 🚀", "\u0000", "\uFFFF"]"#
    let strings = try document(source).root.children.map(\.string)
    #expect(strings[0] == "a\"\\/\u{8}\u{c}\n\r\tz")
    #expect(strings[1].map { Array($0.utf8) } == Array("\u{e9}e\u{301}".utf8))
    #expect(strings[2] == "🚀 🚀")
    #expect(strings[3] == "\0")
    #expect(strings[4] == "\u{ffff}")
  }

  @Test(arguments: [
    #""\ud83d""#, #""\ud83dx""#, #""\ude80""#, #""\ud83d\ud83d""#, #""\ud83d\n""#, #""\u12g4""#, #""\x41""#,
  ])
  func `half a surrogate pair and unknown escapes are refused`(text: String) {
    #expect(error(text) == .invalidText(offset: 1))
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF], [0xE2, 0x28, 0xA1],
      [0xE2, 0x82, 0x28],
    ] as [[UInt8]])
  func `text that is not UTF-8 is refused`(bytes: [UInt8]) {
    #expect(error([0x22] + bytes + [0x22]) == .invalidText(offset: 1))
  }

  @Test func `the edges of UTF-8 are accepted`() throws {
    let text = "\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}"
    #expect(try document("\"\(text)\"").root.string == text)
  }

  @Test func `a control character must be escaped`() {
    #expect(error("\"a\u{1}\"") == .unexpected(offset: 2))
    #expect(error("\"a\n\"") == .unexpected(offset: 2))
  }

  @Test func `a name that repeats is refused, however it is spelled`() {
    #expect(error(#"{"a":1,"a":1}"#) == .repeatedName(offset: 7))
    #expect(error(#"{"a":1,"b":{"a":2},"\u0061":1}"#) == .repeatedName(offset: 19))
    #expect(error(#"[{"a":1},{"a":1}]"#) == nil)
  }

  @Test func `names that only look alike are two`() throws {
    let root = try document("{\"\u{e9}\":1,\"e\u{301}\":2}").root
    #expect(root.member("\u{e9}")?.number == "1")
    #expect(root.member("e\u{301}")?.number == "2")
  }

  @Test func `many names are told apart`() throws {
    let members = (0..<5000).map { "\"k\($0)\":\($0)" }
    #expect(try document("{\(members.joined(separator: ","))}").root.member("k4999")?.number == "4999")
    #expect(error("{\((members + ["\"k17\":0"]).joined(separator: ","))}") != nil)
  }

  @Test func `depth is limited to 64`() {
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(error(deep) == nil)
    #expect(error("[\(deep)]") == .tooDeep(offset: 64))
    #expect(error(String(repeating: "{\"a\":", count: 100_000)) != nil)
  }

  @Test func `length is limited`() {
    #expect(error([UInt8](repeating: 0x20, count: Self.limit + 1)) == .tooLong(byteCount: Self.limit + 1))
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,", "[1 2]", "{\"a\"", "{\"a\":", "{\"a\" 1}", "{a:1}", "{\"a\":1,}", "[1,]",
    "[,1]",
    "tru", "trux", "nul", "falsee", "1 2", "{}{}", "\"abc", "'a'", "[1]]", "}", "//x\n1",
  ])
  func `what is not one whole value is refused`(text: String) {
    #expect(error(text) != nil)
  }

  @Test func `every value knows the bytes that spell it`() throws {
    let root = try document(" {\"a\" : [ 1 , {\"b\":\"\\u00e9\"} ,true ] , \"c\":null} ").root
    #expect(root.member("a")?.source == "[ 1 , {\"b\":\"\\u00e9\"} ,true ]")
    #expect(root.member("a")?.children.map(\.source) == ["1", "{\"b\":\"\\u00e9\"}", "true"])
    #expect(root.member("c")?.kind == .null)
    #expect(root.children.map(\.name) == ["a", "c"])
    #expect(root.member("d") == nil)
    #expect(root.member("a")?.children.map(\.boolean) == [nil, nil, true])
  }

  @Test func `empty objects and arrays have nothing in them`() throws {
    let root = try document(#"{"a":{},"b":[],"c":[ ],"":1}"#).root
    #expect(root.children.map { $0.children.map(\.source) } == [[], [], [], []])
    #expect(root.member("")?.number == "1")
  }

  @Test func `no cut and no changed byte stops the scanner`() {
    let whole = Array(#"{"é":[-1.5e3,"\ud83d\ude80\n",true,null,{"a":{"b":[]}}],"c":false}"#.utf8)
    #expect(error(whole) == nil)
    for end in whole.indices { #expect(error(Array(whole[..<end])) != nil) }
    for index in whole.indices {
      for value in UInt8.min...UInt8.max {
        var changed = whole
        changed[index] = value
        _ = error(changed)
      }
    }
  }
}
