package import FuekiArchive
internal import FuekiSystem

/// Values in a message's order: numbers with their lowest byte first, texts and bytes with their length before them.
package struct FrameWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add<I: FixedWidthInteger & UnsignedInteger>(_ value: I) {
    bytes.append(littleEndian: value)
  }

  package mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  package mutating func add(_ value: [UInt8]) {
    add(UInt32(clamping: value.count))
    bytes += value
  }

  package mutating func add(_ text: String) { add(Array(text.utf8)) }

  package mutating func add(_ texts: [String]) {
    add(UInt32(clamping: texts.count))
    for text in texts { add(text) }
  }

  package mutating func add(optional value: [UInt8]?) {
    add(value != nil)
    if let value { add(value) }
  }
}

extension ByteReader {
  package mutating func nextFlag() throws(Exhausted) -> Bool { try u8() != 0 }

  package mutating func nextCounted() throws(Exhausted) -> [UInt8] { try bytes(Int(try u32())) }

  package mutating func nextText() throws(Exhausted) -> String {
    String(decoding: try nextCounted(), as: UTF8.self)
  }

  package mutating func nextTexts() throws(Exhausted) -> [String] {
    let count = Int(try u32())
    // Every text has a length before it.
    guard count <= remaining / 4 else { throw Exhausted() }
    var texts: [String] = []
    for _ in 0..<count { texts.append(try nextText()) }
    return texts
  }

  package mutating func nextOptional() throws(Exhausted) -> [UInt8]? {
    try nextFlag() ? try nextCounted() : nil
  }

  /// The walls of a box that its process reports.
  mutating func nextBox() throws(Exhausted) -> ReaderBox {
    let version = try u8()
    return ReaderBox(landlock: version > 0 ? Int(version) : nil, hasCallFilter: try nextFlag())
  }
}
