internal import FoundationEssentials
internal import FuekiWallet

/// A writer of JSON, one object a line, straight into bytes.
///
/// An archive may hold millions of records; a tree of values for each would cost several times what its text
/// does.
struct JSONLineWriter {
  /// The written bytes.
  private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private var clock = InstantWriter()
  private var addresses = KnownAddresses()

  /// Makes an empty writer with room for so many bytes.
  init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func beginObject() { open(UInt8(ascii: "{")) }
  mutating func endObject() { close(UInt8(ascii: "}")) }
  mutating func beginList() { open(UInt8(ascii: "[")) }
  mutating func endList() { close(UInt8(ascii: "]")) }

  /// Ends a line, which holds one object.
  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Writes a member's name; its value must follow.
  mutating func name(_ name: MemberName) {
    separate()
    name.append(to: &bytes)
    needsComma = false
  }

  mutating func value(_ value: Bool) {
    separate()
    bytes.append(contentsOf: value ? Self.true : Self.false)
    needsComma = true
  }

  mutating func value(_ value: some FixedWidthInteger) {
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  /// Writes a number, or a text in Protocol Buffers' JSON spelling if JSON cannot express the number.
  mutating func value(_ value: Double) {
    guard value.isFinite else {
      return self.value(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
    }
    separate()
    bytes.append(contentsOf: value.description.utf8)
    needsComma = true
  }

  mutating func value(_ text: String) { quoted { $0.appendEscaped(text.utf8Span.span) } }

  /// Writes a text; returns false and writes nothing if the bytes are not UTF-8.
  mutating func value(utf8 text: Span<UInt8>) -> Bool {
    guard (try? UTF8Span(validating: text)) != nil else { return false }
    quoted { $0.appendEscaped(text) }
    return true
  }

  /// Writes the text that was packed, or an object with the bytes where they stand for none.
  mutating func value(packed: Span<UInt8>) {
    let form = packed.isEmpty ? nil : PackedText.Form(rawValue: packed[0])
    // The forms that most records have, without a text in between; each has a shortest payload.
    switch form {
    case .prefixedHex where packed.count > 1:
      quoted {
        $0.append(UInt8(ascii: "0"))
        $0.append(UInt8(ascii: "x"))
        LowerHex.append(packed.extracting(1...), to: &$0)
      }
    case .bareHex where packed.count > 8:
      quoted { LowerHex.append(packed.extracting(1...), to: &$0) }
    case .utf8 where packed.count > 1:
      if !value(utf8: packed.extracting(1...)) { object(bytes: packed) }
    case .checksummedAddress where packed.count == 21:
      separate()
      bytes.append(UInt8(ascii: "\""))
      addresses.append(packed.extracting(1...), to: &bytes)
      bytes.append(UInt8(ascii: "\""))
      needsComma = true
    case .upperCaseUUID where packed.count == 17:
      quoted { $0 += PackedText.rebuilt(packed.extracting(1...), .upperCaseUUID) }
    case .lowerCaseUUID where packed.count == 17:
      quoted { $0 += PackedText.rebuilt(packed.extracting(1...), .lowerCaseUUID) }
    case nil, .utf8, .prefixedHex, .bareHex, .checksummedAddress, .upperCaseUUID, .lowerCaseUUID:
      guard let text = PackedText.text(packed) else { return object(bytes: packed) }
      value(text)
    }
  }

  /// Writes a file's name as text, or as an object with the bytes if it is not UTF-8.
  mutating func value(fileName: Span<UInt8>) {
    if !value(utf8: fileName) { object(bytes: fileName) }
  }

  /// Writes bytes in base64, with padding (RFC 4648 section 4).
  mutating func value(base64 data: Span<UInt8>) {
    var copy: [UInt8] = []
    copy.append(copying: data)
    value(Data(copy).base64EncodedString())
  }

  /// Writes an instant as ISO 8601 with `Z`.
  mutating func value(microsecondsSince1970 instant: Int64) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    clock.append(instant, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func object(bytes data: Span<UInt8>) {
    beginObject()
    name(Self.bytesName)
    value(base64: data)
    endObject()
  }

  private mutating func quoted(_ body: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    body(&bytes)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private static let `true` = Array("true".utf8)
  private static let `false` = Array("false".utf8)
  private static let bytesName: MemberName = "bytes"
}

/// The texts of addresses with a checksum that were met last.
///
/// Finding a checksum takes longer than writing the rest of a transaction, and a wallet's own address is in
/// each.
struct KnownAddresses {
  private struct Entry {
    let address: InlineArray<20, UInt8>
    let text: [UInt8]
  }

  /// One place for each last byte.
  private var entries: [Entry?] = []

  /// Appends the text of an address of 20 bytes.
  mutating func append(_ address: Span<UInt8>, to bytes: inout [UInt8]) {
    if entries.isEmpty { entries = Array(repeating: nil, count: 256) }
    let place = Int(address[19])
    if let known = entries[place], Self.areEqual(known.address, address) {
      return bytes.append(contentsOf: known.text)
    }
    let text = PackedText.rebuilt(address, .checksummedAddress)
    entries[place] = Entry(address: InlineArray { address[$0] }, text: text)
    bytes.append(contentsOf: text)
  }

  private static func areEqual(_ a: InlineArray<20, UInt8>, _ b: Span<UInt8>) -> Bool {
    for i in a.indices where a[i] != b[i] { return false }
    return true
  }
}

/// Writes instants as ``Timestamp/text`` spells them, and remembers the last day: records follow one another
/// in time, and finding the date is most of the work.
struct InstantWriter {
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  private var day: Int64 = .min
  private var date: [UInt8] = []

  /// Appends an instant as UTC, such as `2026-11-21T06:30:00.000000Z`.
  mutating func append(_ microseconds: Int64, to bytes: inout [UInt8]) {
    var (day, rest) = microseconds.quotientAndRemainder(dividingBy: Self.microsecondsPerDay)
    if rest < 0 {
      day -= 1
      rest += Self.microsecondsPerDay
    }
    if day != self.day {
      let text = Array(Timestamp(microseconds: microseconds).text.utf8)
      // The time and its zone have 16 bytes; the year may have more than four digits.
      date = Array(text.dropLast(Self.timeByteCount))
      self.day = day
    }
    bytes.append(contentsOf: date)
    let seconds = rest / 1_000_000
    Self.append(seconds / 3600, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds / 60 % 60, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(seconds % 60, 2, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    Self.append(rest % 1_000_000, 6, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
  }

  private static let timeByteCount = "06:30:00.000000Z".utf8.count

  private static func append(_ value: Int64, _ width: Int, to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: width) { output in
      var divisor: Int64 = 1
      for _ in 1..<width { divisor *= 10 }
      while divisor > 0 {
        output.append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
        divisor /= 10
      }
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of a span.
  mutating func append(copying bytes: Span<UInt8>) {
    append(addingCapacity: bytes.count) { output in
      for i in bytes.indices { output.append(bytes[i]) }
    }
  }

  /// Appends UTF-8, escaped for a JSON string (RFC 8259 section 7).
  mutating func appendEscaped(_ text: Span<UInt8>) {
    var start = 0
    for i in text.indices {
      let byte = text[i]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      append(copying: text.extracting(start..<i))
      appendEscape(of: byte)
      start = i + 1
    }
    append(copying: text.extracting(start...))
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append(contentsOf: "u00".utf8)
      append(Self.digit(byte >> 4))
      append(Self.digit(byte & 15))
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }
}
