internal import FuekiCrypto
internal import FuekiWallet

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
