import FuekiBackup
import Testing

/// The requests for byte ranges, and the answers to them.
struct RangeAnswerTests {
  private static let head = "HTTP/1.1 206 Partial Content\r\nContent-Type: x\r\nContent-Length: 3\r\n\r\n"

  private func received(_ text: String, in length: Int, byteCount: UInt64 = 3) -> String? {
    var answer = RangeAnswer(byteCount: byteCount)
    let bytes = Array(text.utf8)
    var found: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: length) {
      guard let new = answer.receive(bytes[start..<min(bytes.count, start + length)]) else { return nil }
      found += new
    }
    return answer.isWhole ? String(decoding: found, as: UTF8.self) : "cut"
  }

  @Test func `a request has its path escaped, and its fields`() {
    let request = RangeAnswer.request("a b/ü#\r\n.fueki", ["Range: bytes=5-19"])
    let lines = String(decoding: request, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    #expect(
      lines == [
        "GET /a%20b/%c3%bc%23%0d%0a.fueki HTTP/1.1", "Host: localhost", "Range: bytes=5-19", "", "",
      ])
  }

  @Test func `an answer arrives in pieces of any length`() {
    for length in 1...Self.head.utf8.count + 3 {
      #expect(received(Self.head + "abc", in: length) == "abc")
      #expect(received(Self.head + "ab", in: length) == "cut")
      #expect(received(Self.head + "abcd", in: length) == nil)
    }
    let other = Self.head.replacing("Content-Length", with: "content-length")
    #expect(received(other + "abc", in: 100) == "abc")
  }

  @Test(arguments: ["206 ", "Length: 3", "206", "HTTP/1.1"])
  func `another answer is refused`(_ part: String) {
    let other = Self.head.replacing(part, with: "2")
    #expect(received(other + "abc", in: 1) == nil)
  }

  @Test func `a head without an end, and what is no HTTP, are refused`() {
    #expect(received("HTTP/1.1 206 " + String(repeating: "a", count: 20_000), in: 1000) == nil)
    #expect(received("abc", in: 1) == nil)
  }
}
