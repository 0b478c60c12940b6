internal import FuekiCrypto
internal import FuekiWallet

/// A CBOR document that may hold secrets: its bytes stay in protected memory, and only what is asked for leaves it.
///
/// Of RFC 8949 it reads what programs that save keys write: no strings in pieces, and tags are passed over.
final class CBORDocument: Sendable {
  /// What a value is.
  enum Kind: Equatable {
    case number(UInt64)
    case bytes, text, array, map, null, other
  }

  fileprivate struct Node {
    let kind: Kind
    /// Where the content of a string is.
    let content: Range<Int>
    /// Where the next value after all that is in this one is.
    var end: Int
  }

  private static let depthLimit = 24
  private static let valueLimit = 1 << 18

  let bytes: SecretBytes
  fileprivate let nodes: [Node]

  /// Reads a whole document; nil for bytes that are none.
  init?(_ bytes: consuming SecretBytes) {
    var reader = Reader()
    let isWhole = bytes.withBytes { bytes in
      reader.value(in: bytes, depth: 0) && reader.position == bytes.count
    }
    guard isWhole else { return nil }
    nodes = reader.nodes
    self.bytes = bytes
  }

  /// The document's one value.
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
        // Every value has a byte at least, so a count that is a lie ends soon.
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

    /// The major type, and its argument; nil where one of no length is meant.
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

  /// Where the content of a string is in the document.
  var content: Range<Int> { node.content }

  /// The text of a string that is no secret; nil for any other value.
  var text: String? {
    guard kind == .text else { return nil }
    return document.bytes.withBytes { bytes in
      String(validating: bytes.extracting(content).copied(), as: UTF8.self)
    }
  }

  /// The elements of an array, or keys and values of a map one after another; none of any other value.
  var children: [CBORValue] {
    guard kind == .array || kind == .map else { return [] }
    var (children, next) = ([CBORValue](), place + 1)
    while next < node.end {
      children.append(CBORValue(document: document, place: next))
      next = document.nodes[next].end
    }
    return children
  }

  /// The members of a map whose keys are texts.
  var members: [(name: String, value: CBORValue)] {
    guard kind == .map else { return [] }
    let all = children
    return stride(from: 0, to: all.count - all.count % 2, by: 2).compactMap { place in
      all[place].text.map { ($0, all[place + 1]) }
    }
  }
}
