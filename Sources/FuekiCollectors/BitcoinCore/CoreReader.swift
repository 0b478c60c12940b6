/// A record of Bitcoin Core's, read from its front: numbers with the lowest byte first, texts behind their length.
struct CoreReader {
  /// The record ends too early.
  struct Truncated: Error {}

  let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: [UInt8] { Array(bytes[place...]) }

  mutating func take(_ count: Int) throws(Truncated) -> [UInt8] {
    guard count <= bytes.count - place else { throw Truncated() }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  /// A number of so many bytes, at most eight.
  mutating func number(_ byteCount: Int) throws(Truncated) -> UInt64 {
    try take(byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A length in as many bytes as it needs.
  mutating func length() throws(Truncated) -> Int {
    let first = try number(1)
    let value =
      switch first {
      case 0xfd: try number(2)
      case 0xfe: try number(4)
      case 0xff: try number(8)
      default: first
      }
    guard let length = Int(exactly: value) else { throw Truncated() }
    return length
  }

  /// Bytes behind their length.
  mutating func counted() throws(Truncated) -> [UInt8] { try take(try length()) }

  mutating func text() throws(Truncated) -> String { String(decoding: try counted(), as: UTF8.self) }
}
