extension JSONOutline {
  /// The limit of nesting of objects and arrays.
  package static let depthLimit = 64

  /// Returns the limit of values for a document's length.
  ///
  /// Each takes 24 bytes here, however short its source.
  package static func valueLimit(of byteCount: Int) -> Int { Swift.min((1 << 16) + byteCount / 4, 1 << 26) }

  /// Parses a complete document of at most `limit` bytes, which is at most 2 GiB.
  package init(_ bytes: Span<UInt8>, limit: Int) throws(JSONError) {
    guard bytes.count <= Swift.min(limit, 1 << 31) else { throw .tooLong(byteCount: bytes.count) }
    var scan = Scan()
    scan.skipByteOrderMark(in: bytes)
    scan.skipSpace(in: bytes)
    try scan.value(name: 0..<0, depth: 0, in: bytes)
    scan.skipSpace(in: bytes)
    guard scan.position == bytes.count else { throw .trailing(offset: scan.position) }
    nodes = scan.nodes
  }
}

/// A pass over a document.
///
/// It holds only offsets, because a span cannot be stored.
private struct Scan {
  private(set) var position = 0
  private(set) var nodes: [JSONOutline.Node] = []
  /// The names in all open objects.
  ///
  /// Each object's follow those of its parent.
  private var names: [Name] = []

  private struct Name {
    let hash: Int
    let range: Range<Int>
  }

  /// Skips a byte order mark, which Windows editors add and RFC 8259 section 8.1 lets readers ignore.
  mutating func skipByteOrderMark(in bytes: Span<UInt8>) {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
  }

  mutating func skipSpace(in bytes: Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  mutating func value(name: Range<Int>, depth: Int, in bytes: Span<UInt8>) throws(JSONError) {
    let start = position
    let kind: JSONOutline.Kind =
      switch try peek(in: bytes) {
      case UInt8(ascii: "{"): .object
      case UInt8(ascii: "["): .array
      case UInt8(ascii: "\""): .string
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
      case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
      case UInt8(ascii: "n"): .null
      default: throw JSONError.unexpected(offset: position)
      }
    let index = nodes.count
    let limit = JSONOutline.valueLimit(of: bytes.count)
    guard index < limit else { throw .tooManyValues(limit: limit) }
    nodes.append(
      JSONOutline.Node(
        kind: kind, start: UInt32(start), end: 0, nameStart: UInt32(name.lowerBound),
        nameEnd: UInt32(name.upperBound), next: 0))
    switch kind {
    case .object: try object(depth: depth + 1, in: bytes)
    case .array: try array(depth: depth + 1, in: bytes)
    case .string: position = try JSONText.end(ofStringAt: position, in: bytes)
    case .number: try number(in: bytes)
    case .boolean: try word(bytes[start] == UInt8(ascii: "t") ? "true" : "false", in: bytes)
    case .null: try word("null", in: bytes)
    }
    nodes[index].end = UInt32(position)
    nodes[index].next = UInt32(nodes.count)
  }

  private mutating func object(depth: Int, in bytes: Span<UInt8>) throws(JSONError) {
    guard depth <= JSONOutline.depthLimit else { throw .tooDeep(offset: position) }
    position += 1
    let firstName = names.count
    if try closes(with: "}", in: bytes) { return }
    repeat {
      skipSpace(in: bytes)
      guard try peek(in: bytes) == UInt8(ascii: "\"") else { throw .unexpected(offset: position) }
      let start = position
      position = try JSONText.end(ofStringAt: position, in: bytes)
      let name = start..<position
      names.append(Name(hash: JSONText.decode(name, in: bytes).hashValue, range: name))
      skipSpace(in: bytes)
      guard try peek(in: bytes) == UInt8(ascii: ":") else { throw .unexpected(offset: position) }
      position += 1
      skipSpace(in: bytes)
      try value(name: name, depth: depth, in: bytes)
    } while try continues(until: "}", in: bytes)
    try checkNames(from: firstName, in: bytes)
    names.removeSubrange(firstName...)
  }

  private mutating func array(depth: Int, in bytes: Span<UInt8>) throws(JSONError) {
    guard depth <= JSONOutline.depthLimit else { throw .tooDeep(offset: position) }
    position += 1
    if try closes(with: "]", in: bytes) { return }
    repeat {
      skipSpace(in: bytes)
      try value(name: 0..<0, depth: depth, in: bytes)
    } while try continues(until: "]", in: bytes)
  }

  private mutating func closes(with end: Unicode.Scalar, in bytes: Span<UInt8>) throws(JSONError) -> Bool {
    skipSpace(in: bytes)
    guard try peek(in: bytes) == UInt8(ascii: end) else { return false }
    position += 1
    return true
  }

  private mutating func continues(until end: Unicode.Scalar, in bytes: Span<UInt8>) throws(JSONError) -> Bool
  {
    if try closes(with: end, in: bytes) { return false }
    guard bytes[position] == UInt8(ascii: ",") else { throw .unexpected(offset: position) }
    position += 1
    return true
  }

  private func checkNames(from first: Int, in bytes: Span<UInt8>) throws(JSONError) {
    let sorted = names[first...].sorted { ($0.hash, $0.range.lowerBound) < ($1.hash, $1.range.lowerBound) }
    for index in sorted.indices.dropFirst() {
      var other = index - 1
      while other >= 0, sorted[other].hash == sorted[index].hash {
        let same =
          JSONText.decode(sorted[other].range, in: bytes) == JSONText.decode(sorted[index].range, in: bytes)
        guard !same else { throw .repeatedName(offset: sorted[index].range.lowerBound) }
        other -= 1
      }
    }
  }

  private mutating func number(in bytes: Span<UInt8>) throws(JSONError) {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let leading = position
    guard digits(in: bytes) > 0 else { throw .invalidNumber(offset: start) }
    guard bytes[leading] != UInt8(ascii: "0") || position == leading + 1 else {
      throw .invalidNumber(offset: start)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard digits(in: bytes) > 0 else { throw .invalidNumber(offset: start) }
    }
    guard position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") else { return }
    position += 1
    if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) {
      position += 1
    }
    guard digits(in: bytes) > 0 else { throw .invalidNumber(offset: start) }
  }

  private mutating func digits(in bytes: Span<UInt8>) -> Int {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
      position += 1
    }
    return position - start
  }

  private mutating func word(_ word: StaticString, in bytes: Span<UInt8>) throws(JSONError) {
    for byte in "\(word)".utf8 {
      guard try peek(in: bytes) == byte else { throw .unexpected(offset: position) }
      position += 1
    }
  }

  private func peek(in bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
    guard position < bytes.count else { throw .truncated(offset: bytes.count) }
    return bytes[position]
  }
}
