internal import FuekiArchive

/// The kinds of messages between this program and a reader of its own.
enum ReaderFrame: UInt8 {
  // From the reader: what it found.
  case ready = 1
  case record
  case share
  case shareSecret
  case privateKey
  case secretFile
  case file
  case finding
  case problem
  case exclusion
  case end
  case failure
  case stalled
  // From the reader: what it asks for.
  case askPassphrase = 32
  case askCopy
  case askListing
  case askNeedsCopy
  case askFile
  // To the reader.
  case request = 64
  case no
  case yes
  case secret
  case copy
  case damaged
  case refused
}

/// Values in a message's order: numbers with their lowest byte first, texts and bytes with their length before them.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add<I: FixedWidthInteger & UnsignedInteger>(_ value: I) { bytes.append(littleEndian: value) }

  mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func add(_ value: [UInt8]) {
    add(UInt32(clamping: value.count))
    bytes += value
  }

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  mutating func add(_ texts: [String]) {
    add(UInt32(clamping: texts.count))
    for text in texts { add(text) }
  }

  mutating func add(optional value: [UInt8]?) {
    add(value != nil)
    if let value { add(value) }
  }
}

extension ByteReader {
  mutating func nextFlag() throws(Exhausted) -> Bool { try u8() != 0 }

  mutating func nextCounted() throws(Exhausted) -> [UInt8] { try bytes(Int(try u32())) }

  mutating func nextText() throws(Exhausted) -> String { String(decoding: try nextCounted(), as: UTF8.self) }

  mutating func nextTexts() throws(Exhausted) -> [String] {
    let count = Int(try u32())
    // Every text has a length before it.
    guard count <= remaining / 4 else { throw Exhausted() }
    var texts: [String] = []
    for _ in 0..<count { texts.append(try nextText()) }
    return texts
  }

  mutating func nextOptional() throws(Exhausted) -> [UInt8]? { try nextFlag() ? try nextCounted() : nil }
}
