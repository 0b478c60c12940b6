internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A JSON document with possible secrets: its bytes stay in protected memory, and only requested values leave
/// it.
final class GuardedDocument: Sendable {
  let bytes: SecretBytes
  let outline: JSONOutline

  /// Parses a complete document; see ``JSONOutline/init(_:limit:)``.
  init(_ bytes: consuming SecretBytes, limit: Int) throws(JSONError) {
    outline = try bytes.withBytes { (bytes) throws(JSONError) in try JSONOutline(bytes, limit: limit) }
    self.bytes = bytes
  }

  /// The document's top-level value.
  var root: GuardedValue { GuardedValue(document: self, content: .source(outline.root)) }
}

/// A value of a document with possible secrets, original or modified by later changes.
struct GuardedValue: Sendable {
  indirect enum Content: Sendable {
    case source(JSONOutline.Value)
    case object([ExactText: GuardedValue])
    case array([GuardedValue])
  }

  let document: GuardedDocument
  var content: Content

  /// The type of the value.
  var kind: JSONOutline.Kind {
    switch content {
    case .source(let value): document.outline.kind(of: value)
    case .object: .object
    case .array: .array
    }
  }

  /// The text of a public string; nil for other values.
  var string: String? {
    source { value, bytes in document.outline.string(value, in: bytes) } ?? nil
  }

  /// The digits of a number as in the source; nil for other values.
  var number: String? {
    source { value, bytes in document.outline.number(value, in: bytes) } ?? nil
  }

  /// The boolean; nil for other values.
  var boolean: Bool? {
    source { value, bytes in document.outline.boolean(value, in: bytes) } ?? nil
  }

  /// Returns the text of a string in protected memory; nil for other values.
  func secret() throws -> SharedSecret? {
    guard kind == .string, case .source(let value) = content else { return nil }
    let range = document.outline.range(of: value)
    return try document.bytes.withBytes { bytes in
      var text = try SecretBytes(count: max(range.count - 2, 0))
      let count = text.withMutableBytes { JSONText.decode(range, in: bytes, into: &$0) }
      return SharedSecret(try text.copy(0..<count))
    }
  }

  /// The elements of an array; empty for other values.
  var elements: [GuardedValue] {
    switch content {
    case .source(let value):
      guard kind == .array else { return [] }
      return document.outline.children(of: value).map {
        GuardedValue(document: document, content: .source($0))
      }
    case .array(let elements): return elements
    case .object: return []
    }
  }

  /// The members of an object in document order, or by name if it was modified.
  var members: [(name: String, value: GuardedValue)] {
    switch content {
    case .source(let value):
      guard kind == .object else { return [] }
      return document.bytes.withBytes { bytes in
        document.outline.children(of: value).map { child in
          (
            document.outline.name(of: child, in: bytes),
            GuardedValue(document: document, content: .source(child))
          )
        }
      }
    case .object(let members):
      return members.sorted { $0.key < $1.key }.map { (name: $0.key.text, value: $0.value) }
    case .array: return []
    }
  }

  /// Returns an object's member by name; nil if it is missing, or the value is not an object.
  func member(_ name: String) -> GuardedValue? {
    switch content {
    case .source(let value):
      document.bytes.withBytes { bytes in
        document.outline.member(name, of: value, in: bytes)
      }.map { GuardedValue(document: document, content: .source($0)) }
    case .object(let members): members[ExactText(name)]
    case .array: nil
    }
  }

  /// The JSON text of a value without secrets.
  var json: String {
    switch content {
    case .source: source { value, bytes in document.outline.source(of: value, in: bytes) } ?? ""
    case .object:
      "{" + members.map { JSONText.quoted($0.name) + ": " + $0.value.json }.joined(separator: ", ") + "}"
    case .array(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
    }
  }

  /// A value without secrets, as a separate document.
  var disclosed: JSONValue? {
    let bytes = Array(json.utf8)
    return try? JSONDocument(bytes, limit: bytes.count).root
  }

  private func source<Answer>(_ body: (JSONOutline.Value, Span<UInt8>) -> Answer) -> Answer? {
    guard case .source(let value) = content else { return nil }
    return document.bytes.withBytes { body(value, $0) }
  }
}

/// Decodes encoded secrets from protected memory to protected memory.
enum GuardedEncodings {
  /// Decodes base64 with or without padding, ignoring white space.
  ///
  /// - Returns: nil for any other text, and for an empty result.
  static func base64(_ text: Span<UInt8>) throws(CryptoError) -> SecretBytes? {
    var decoded = try SecretBytes(count: text.count / 4 * 3 + 3)
    let count = decoded.withMutableBytes { base64(text, into: &$0) }
    guard let count, count > 0 else { return nil }
    return try decoded.copy(0..<count)
  }

  /// Decodes pairs of hexadecimal digits, ignoring white space.
  ///
  /// - Returns: As ``base64(_:)``.
  static func hex(_ text: Span<UInt8>) throws(CryptoError) -> SecretBytes? {
    var decoded = try SecretBytes(count: text.count / 2 + 1)
    let count = decoded.withMutableBytes { bytes -> Int? in
      var (count, high) = (0, UInt8?.none)
      for index in text.textStart..<text.count where !isSpace(text[index]) {
        guard let digit = digit(text[index]) else { return nil }
        if let first = high {
          bytes[count] = first << 4 | digit
          count += 1
          high = nil
        } else {
          high = digit
        }
      }
      return high == nil ? count : nil
    }
    guard let count, count > 0 else { return nil }
    return try decoded.copy(0..<count)
  }

  private static func base64(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Int? {
    var (count, group, bits, padding) = (0, UInt32(0), 0, 0)
    for index in text.textStart..<text.count where !isSpace(text[index]) {
      if text[index] == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = sextet(text[index]) else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes[count] = UInt8(truncatingIfNeeded: group >> UInt32(bits))
      group &= (1 << UInt32(bits)) - 1
      count += 1
    }
    // Leftover bits must be zero. Six bits alone are not a byte.
    guard padding <= 2, bits < 6, group == 0 else { return nil }
    return count
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private static func sextet(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Span<UInt8> {
  /// Whether the bytes start with these.
  func starts(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }

  /// The first byte that is not white space.
  var firstVisible: UInt8? {
    for index in textStart..<count where self[index] != 0x20 && !(0x09...0x0D ~= self[index]) {
      return self[index]
    }
    return nil
  }

  /// The start of a text, after a byte order mark as written by Windows editors.
  var textStart: Int { count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? 3 : 0 }
}

extension SecretBytes {
  /// Returns the bytes in reverse order, converting little-endian to big-endian.
  borrowing func reversed() throws(CryptoError) -> SecretBytes {
    var other = try SecretBytes(count: count)
    withBytes { source in
      other.withMutableBytes { target in
        for index in source.indices { target[source.count - 1 - index] = source[index] }
      }
    }
    return other
  }

  /// Returns a big-endian number padded with leading zeros; nil if it is too long.
  borrowing func padded(to byteCount: Int) throws(CryptoError) -> SecretBytes? {
    let extra = withBytes { bytes in
      (0..<max(bytes.count - byteCount, 0)).allSatisfy { bytes[$0] == 0 }
        ? max(bytes.count - byteCount, 0) : -1
    }
    guard extra >= 0 else { return nil }
    var number = try SecretBytes(count: byteCount)
    withBytes { source in
      number.withMutableBytes { target in
        for index in extra..<source.count { target[byteCount - source.count + index] = source[index] }
      }
    }
    return number
  }
}
