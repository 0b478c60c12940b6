internal import FuekiCrypto
internal import FuekiWallet

/// A value of a document in JSON or CBOR, with the same members in both.
enum ShareValue {
  case json(GuardedValue)
  case cbor(CBORValue)

  private static let digitLimit = 20_000

  /// Parses a complete document of either format; nil for anything else.
  static func document(_ bytes: borrowing SecretBytes, limit: Int) throws(CryptoError) -> ShareValue? {
    if bytes.withBytes({ $0.firstVisible == UInt8(ascii: "{") }) {
      let copy = try bytes.copied()
      do throws(JSONError) {
        return .json(try GuardedDocument(copy, limit: limit).root)
      } catch {
        return nil
      }
    }
    guard bytes.count <= limit else { return nil }
    return CBORDocument(try bytes.copied()).map { .cbor($0.root) }
  }

  /// The members, in the document's order.
  var members: [(name: String, value: ShareValue)] {
    switch self {
    case .json(let value): value.members.map { ($0.name, .json($0.value)) }
    case .cbor(let value): value.members.map { ($0.name, .cbor($0.value)) }
    }
  }

  /// Returns a member by name; nil if it is missing or `null`.
  func member(_ name: String) -> ShareValue? {
    switch self {
    case .json(let value): value.member(name).flatMap { $0.kind == .null ? nil : .json($0) }
    case .cbor(let value):
      value.members.first { $0.name == name }.flatMap { $0.value.kind == .null ? nil : .cbor($0.value) }
    }
  }

  /// The elements of an array; empty for other values.
  var elements: [ShareValue] {
    switch self {
    case .json(let value): value.elements.map { .json($0) }
    case .cbor(let value): value.kind == .array ? value.children.map { .cbor($0) } : []
    }
  }

  /// A public text.
  var text: String? {
    switch self {
    case .json(let value): value.string
    case .cbor(let value): value.text
    }
  }

  /// A small public number.
  var count: Int? {
    switch self {
    case .json(let value): return value.number.flatMap(UInt16.init).map(Int.init)
    case .cbor(let value):
      guard case .number(let number) = value.kind else { return nil }
      return UInt16(exactly: number).map(Int.init)
    }
  }

  /// Returns a secret's bytes: a byte string, or decoded hexadecimal or base64.
  ///
  /// - Parameter isBase64: whether texts are base64 rather than hexadecimal.
  /// - Returns: nil for any other value.
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  func secret(isBase64: Bool = false) throws -> SecretBytes? {
    if let inner = member("scalar") ?? member("point") { return try inner.secret(isBase64: isBase64) }
    // The numbers of the library rug state their radix.
    if let value = member("value"), let radix = member("radix")?.count {
      return radix == 10 ? try value.decimal() : radix == 16 ? try value.secret() : nil
    }
    switch self {
    case .json(let value):
      guard let text = try value.secret() else { return nil }
      return try text.bytes.withBytes { try Self.decode($0, isBase64) }
    case .cbor(let value):
      return try value.document.bytes.withBytes { bytes in
        let content = bytes.extracting(value.content)
        return switch value.kind {
        case .bytes: try SecretBytes(copying: content)
        case .text: try Self.decode(content, isBase64)
        case .number, .array, .map, .null, .other: nil
        }
      }
    }
  }

  /// Returns a secret scalar's 32 bytes, big-endian.
  func scalar(isBase64: Bool = false) throws -> SharedSecret? {
    guard let number = try secret(isBase64: isBase64)?.padded(to: Curve.scalarByteCount) else { return nil }
    return SharedSecret(number)
  }

  /// Returns public bytes.
  func bytes(isBase64: Bool = false) -> [UInt8]? {
    do {
      guard let secret = try secret(isBase64: isBase64) else { return nil }
      return secret.withBytes { $0.copied() }
    } catch {
      return nil
    }
  }

  private static func decode(_ text: Span<UInt8>, _ isBase64: Bool) throws -> SecretBytes? {
    guard text.count <= digitLimit else { return nil }
    guard !isBase64 else { return try GuardedEncodings.base64(text) }
    guard !text.count.isMultiple(of: 2) else { return try GuardedEncodings.hex(text) }
    // Numbers are written without leading zeros.
    var padded = try SecretBytes(count: text.count + 1)
    padded.withMutableBytes { bytes in
      bytes[0] = UInt8(ascii: "0")
      bytes.write(text, at: 1)
    }
    return try padded.withBytes { try GuardedEncodings.hex($0) }
  }

  private func decimal() throws -> SecretBytes? {
    guard case .json(let value) = self, let text = try value.secret() else { return nil }
    return try text.bytes.withBytes { try DecimalNumber.secret($0) }
  }
}

/// A CBOR document with possible secrets: its bytes stay in protected memory, and only requested values leave
/// it.
///
/// It supports the part of RFC 8949 that key-saving programs use: no strings in pieces, and tags are ignored.
final class CBORDocument: Sendable {
  /// The type of a value.
  enum Kind: Equatable {
    case number(UInt64)
    case bytes, text, array, map, null, other
  }

  fileprivate struct Node {
    let kind: Kind
    /// The range of a string's content.
    let content: Range<Int>
    /// The position of the next value after this one and its children.
    var end: Int
  }

  private static let depthLimit = 24
  private static let valueLimit = 1 << 18

  let bytes: SecretBytes
  fileprivate let nodes: [Node]

  /// Parses a complete document; nil for other bytes.
  init?(_ bytes: consuming SecretBytes) {
    var reader = Reader()
    let isWhole = bytes.withBytes { bytes in
      reader.value(in: bytes, depth: 0) && reader.position == bytes.count
    }
    guard isWhole else { return nil }
    nodes = reader.nodes
    self.bytes = bytes
  }

  /// The document's top-level value.
  var root: CBORValue { CBORValue(document: self, place: 0) }

  private struct Reader {
    var position = 0
    var nodes: [Node] = []

    mutating func value(in bytes: Span<UInt8>, depth: Int) -> Bool {
      guard depth < depthLimit, nodes.count < valueLimit, let (major, argument) = head(in: bytes) else {
        return false
      }
      let place = nodes.count
      func add(_ kind: Kind, _ content: Range<Int>) {
        nodes.append(Node(kind: kind, content: content, end: place + 1))
      }
      switch major {
      case 0, 1:
        guard let argument else { return false }
        add(major == 0 ? .number(argument) : .other, position..<position)
      case 2, 3:
        guard let argument, argument <= UInt64(bytes.count - position) else { return false }
        let content = position..<position + Int(argument)
        add(major == 2 ? .bytes : .text, content)
        position = content.upperBound
      case 4, 5:
        add(major == 4 ? .array : .map, position..<position)
        let each = major == 4 ? 1 : 2
        // Every value takes at least a byte, so a false count ends soon.
        var rest = argument ?? .max
        while rest > 0 {
          if argument == nil, position < bytes.count, bytes[position] == 0xFF {
            position += 1
            break
          }
          for _ in 0..<each where !value(in: bytes, depth: depth + 1) { return false }
          rest -= 1
        }
        nodes[place].end = nodes.count
      case 6: return argument != nil && value(in: bytes, depth: depth + 1)
      default: add(argument == 22 || argument == 23 ? .null : .other, position..<position)
      }
      return true
    }

    /// Reads the major type and its argument; nil for an indefinite length.
    private mutating func head(in bytes: Span<UInt8>) -> (UInt8, UInt64?)? {
      guard position < bytes.count else { return nil }
      let (major, short) = (bytes[position] >> 5, bytes[position] & 31)
      position += 1
      guard short >= 24 else { return (major, UInt64(short)) }
      guard short < 28 else { return short == 31 && 4...5 ~= major ? (major, nil) : nil }
      let count = 1 << Int(short - 24)
      guard count <= bytes.count - position else { return nil }
      var argument: UInt64 = 0
      for index in position..<position + count { argument = argument << 8 | UInt64(bytes[index]) }
      position += count
      return (major, argument)
    }
  }
}

/// A value of a CBOR document.
struct CBORValue {
  let document: CBORDocument
  fileprivate let place: Int

  private var node: CBORDocument.Node { document.nodes[place] }

  var kind: CBORDocument.Kind { node.kind }

  /// The range of a string's content in the document.
  var content: Range<Int> { node.content }

  /// The text of a public string; nil for other values, and for text that is not `BoundedText`.
  var text: String? {
    guard kind == .text else { return nil }
    return document.bytes.withBytes { bytes in
      String(bounded: bytes.extracting(content).copied())
    }
  }

  /// The elements of an array, or alternating keys and values of a map; empty for other values.
  var children: [CBORValue] {
    guard kind == .array || kind == .map else { return [] }
    var (children, next) = ([CBORValue](), place + 1)
    while next < node.end {
      children.append(CBORValue(document: document, place: next))
      next = document.nodes[next].end
    }
    return children
  }

  /// The members of a map with text keys.
  var members: [(name: String, value: CBORValue)] {
    guard kind == .map else { return [] }
    let all = children
    return stride(from: 0, to: all.count - all.count % 2, by: 2).compactMap { place in
      all[place].text.map { ($0, all[place + 1]) }
    }
  }
}
