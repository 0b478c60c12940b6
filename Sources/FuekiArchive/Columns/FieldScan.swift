/// The fields of a block's records, found in one pass, in scratch memory reused between blocks.
struct FieldScan {
  /// The bytes and the column of a value or a raw record.
  struct Field {
    var column: Int32 = 0
    var start: Int32 = 0
    var count: Int32 = 0
  }

  private typealias Nodes = MutableSpan<ShapeTree.Node>

  /// The number of fields by which the storage grows.
  private static let fieldStep = 8192

  private(set) var tree = ShapeTree()
  private(set) var nodes = [ShapeTree.Node](repeating: ShapeTree.Node(), count: ShapeTree.mostNodes)
  /// The values in the order of records and fields.
  ///
  /// Only the first ``fieldCount`` are valid.
  private(set) var fields: [Field] = []
  private(set) var fieldCount = 0
  /// The shape of each record.
  private(set) var shapes: [UInt16] = []

  /// Returns the tags of the shape that ends at a node, in order.
  func tags(endingAt last: Int) -> [UInt32] {
    var tags: [UInt32] = []
    var node = last
    while node != ShapeTree.root {
      tags.append(nodes[node].tag)
      node = Int(nodes[node].parent)
    }
    return tags.reversed()
  }

  /// Scans `block`; false if it is not framed records.
  mutating func scan(_ block: Span<UInt8>) -> Bool {
    // A span of a stored array would prevent all other access to the scratch memory.
    var nodes = exchange(&nodes, with: [])
    var fields = exchange(&fields, with: [])
    defer { (self.nodes, self.fields) = (nodes, fields) }
    var nodeSpan = nodes.mutableSpan
    tree.reset(&nodeSpan)
    shapes.removeAll(keepingCapacity: true)
    fieldCount = 0
    var position = 0
    while position < block.count {
      if fields.count - fieldCount <= ColumnLimits.tagsPerShape {
        fields.append(contentsOf: repeatElement(Field(), count: Self.fieldStep))
      }
      var fieldSpan = fields.mutableSpan
      while position < block.count, fieldSpan.count - fieldCount > ColumnLimits.tagsPerShape {
        guard scanRecord(block, at: &position, &nodeSpan, &fieldSpan) else { return false }
      }
    }
    return !shapes.isEmpty
  }

  @inline(__always)
  private mutating func scanRecord(
    _ block: Span<UInt8>, at position: inout Int, _ nodes: inout Nodes, _ fields: inout MutableSpan<Field>
  ) -> Bool {
    guard let length = Varint.read(block, at: &position, end: block.count),
      length <= UInt64(block.count - position)
    else { return false }
    let start = position
    let end = start + Int(length)
    var node = ShapeTree.root
    var count = fieldCount
    var isWhole = true
    while isWhole, position < end {
      if let field = scanField(block, at: &position, end: end, &node, &nodes) {
        fields[count] = field
        count += 1
      } else {
        isWhole = false
      }
    }
    if isWhole, let shape = tree.shape(endingAt: node, in: &nodes) {
      shapes.append(shape)
    } else {
      takeBack(fields, fieldCount..<count, node, &nodes)
      count = fieldCount + 1
      fields[fieldCount] = Field(start: Int32(start), count: Int32(length))
      nodes[ShapeTree.root].bytes += Int32(length)
      nodes[ShapeTree.root].lengthBytes += Int32(Varint.width(of: length))
      shapes.append(0)
      position = end
    }
    fieldCount = count
    return true
  }

  /// Scans the field at `position` and advances `position` and `node`; nil if columns cannot hold it.
  @inline(__always)
  private mutating func scanField(
    _ block: Span<UInt8>, at position: inout Int, end: Int, _ node: inout Int, _ nodes: inout Nodes
  ) -> Field? {
    guard let key = Varint.read(block, at: &position, end: end) else { return nil }
    var next = Int(nodes[node].latest)
    if next == 0 || UInt64(nodes[next].tag) != key {
      guard let tag = FieldTag(key), let found = tree.search(tag, from: node, in: &nodes) else { return nil }
      next = found
    }
    let start = position
    let count: Int
    switch nodes[next].wireType {
    case .varint:
      guard let width = Varint.width(block, at: start, end: end) else { return nil }
      count = width
    case .eightBytes: count = 8
    case .fourBytes: count = 4
    case .lengthDelimited:
      guard let length = Varint.read(block, at: &position, end: end),
        length <= UInt64(end - position)
      else { return nil }
      count = Int(length)
    }
    guard count <= end - position else { return nil }
    nodes[next].bytes += Int32(count)
    nodes[next].lengthBytes += Int32(position - start)
    let field = Field(column: nodes[next].column, start: Int32(position), count: Int32(count))
    position += count
    node = next
    return field
  }

  /// Removes the fields of a record that turned out to be raw, the last of which led to `node`.
  private func takeBack(
    _ fields: borrowing MutableSpan<Field>, _ range: Range<Int>, _ last: Int, _ nodes: inout Nodes
  ) {
    var node = last
    for place in range.reversed() {
      let count = fields[place].count
      nodes[node].bytes -= count
      if nodes[node].wireType == .lengthDelimited {
        nodes[node].lengthBytes -= Int32(Varint.width(of: UInt64(count)))
      }
      node = Int(nodes[node].parent)
    }
  }
}

/// A field's key: its number * 8 + its wire type.
struct FieldTag {
  enum WireType: UInt32 {
    case varint = 0
    case eightBytes = 1
    case lengthDelimited = 2
    case fourBytes = 5

    /// Whether its column states its length in bytes.
    var hasByteLength: Bool { self == .varint || self == .lengthDelimited }
  }

  let rawValue: UInt32
  let wireType: WireType

  /// Nil for a group, an undefined wire type, or a number out of range.
  init?(_ key: UInt64) {
    guard let rawValue = UInt32(exactly: key), let wireType = WireType(rawValue: rawValue & 7),
      ColumnLimits.fieldNumbers.contains(rawValue >> 3)
    else { return nil }
    self.rawValue = rawValue
    self.wireType = wireType
  }
}
