internal import FuekiCompression

/// The positions of the parts of a block's column form, computed from a scan.
struct FormLayout {
  /// A column of the form, with the positions of its next length and its next value.
  struct Column {
    let key: UInt32
    let wireType: FieldTag.WireType
    var bytes = 0
    var lengthBytes = 0
    var length = 0
    var value = 0

    init(key: UInt32) {
      self.key = key
      wireType = FieldTag.WireType(rawValue: key & 7) ?? .lengthDelimited
    }
  }

  /// The columns by number, including those used only by records that turned out to be raw.
  private var columns: [Column]
  /// The tags of each shape.
  private let shapes: [[UInt32]]
  let byteCount: Int

  init(_ scan: FieldScan) {
    var columns = scan.tree.columns.map(Column.init)
    for node in scan.nodes[..<scan.tree.nodeCount] {
      columns[Int(node.column)].bytes += Int(node.bytes)
      columns[Int(node.column)].lengthBytes += Int(node.lengthBytes)
    }
    var position = 4 + 2
    shapes = scan.tree.shapes.map { scan.tags(endingAt: Int($0)) }
    for tags in shapes {
      position += 2
      for tag in tags { position += Varint.width(of: UInt64(tag)) }
    }
    position += 2 * scan.shapes.count
    // A column without values belongs to records that turned out to be raw.
    let used = columns.indices.dropFirst().filter { columns[$0].bytes + columns[$0].lengthBytes > 0 }
    for index in [0] + used.sorted(by: { columns[$0].key < columns[$1].key }) {
      if columns[index].wireType.hasByteLength { position += 4 }
      columns[index].length = position
      columns[index].value = position + columns[index].lengthBytes
      position = columns[index].value + columns[index].bytes
    }
    self.columns = columns
    byteCount = position
  }

  /// Writes the shapes, the records' shape numbers, and the columns' lengths in bytes.
  func writeHead(_ numbers: Span<UInt16>, to form: inout MutableSpan<UInt8>) {
    var position = 0
    form.write(littleEndian: UInt32(numbers.count), at: &position)
    form.write(littleEndian: UInt16(shapes.count), at: &position)
    for tags in shapes {
      form.write(littleEndian: UInt16(tags.count), at: &position)
      for tag in tags { Varint.write(UInt64(tag), to: &form, at: &position) }
    }
    for index in numbers.indices { form.write(littleEndian: numbers[index], at: &position) }
    for column in columns where column.length > 0 && column.wireType.hasByteLength {
      var position = column.length - 4
      let isVarint = column.wireType == .varint
      form.write(littleEndian: UInt32(isVarint ? column.bytes : column.lengthBytes), at: &position)
    }
  }

  /// Copies each value to its position.
  mutating func scatter(
    _ fields: Span<FieldScan.Field>, of block: Span<UInt8>, to form: inout MutableSpan<UInt8>
  ) {
    var columns = columns.mutableSpan
    for index in fields.indices {
      let field = fields[index]
      let (column, count) = (Int(field.column), Int(field.count))
      if columns[column].wireType == .lengthDelimited {
        Varint.write(UInt64(count), to: &form, at: &columns[column].length)
      }
      form.copy(block, from: Int(field.start), count: count, to: columns[column].value)
      columns[column].value += count
    }
  }
}

extension MutableSpan<UInt8> {
  fileprivate mutating func write<I: FixedWidthInteger & UnsignedInteger>(
    littleEndian value: I, at position: inout Int
  ) {
    for place in 0..<I.bitWidth / 8 {
      self[position + place] = UInt8(truncatingIfNeeded: value >> (I(place) * 8))
    }
    position += I.bitWidth / 8
  }
}

/// The shapes of a block's records as a tree whose edges are tags.
///
/// A walk from the root along a record's tags ends at its shape. Records of one kind tend to be adjacent, so
/// each node tries the last record's child first. The nodes are stored outside, so that one span of them
/// serves a whole block.
struct ShapeTree {
  struct Node {
    var tag: UInt32 = 0
    var wireType = FieldTag.WireType.lengthDelimited
    var column: Int32 = 0
    var parent: Int32 = 0
    var depth: Int32 = 0
    /// The child of the last walk.
    var latest: Int32 = 0
    var firstChild: Int32 = 0
    var nextSibling: Int32 = 0
    /// 0 until a record ends here.
    var shape: Int32 = 0
    /// The bytes of the values whose tag leads here; in the root, those of raw records.
    var bytes: Int32 = 0
    /// The bytes of these values' lengths.
    var lengthBytes: Int32 = 0
  }

  static let root = 0
  // Records beyond these limits are stored raw: rare shapes save nothing, and searching for them takes time.
  static let mostNodes = 4096
  private static let mostSiblings = 64

  private(set) var nodeCount = 1
  /// The tag of each column.
  ///
  /// Column 0, for raw records, has the wire type of payloads.
  private(set) var columns: [UInt32] = [FieldTag.WireType.lengthDelimited.rawValue]
  /// The node of each shape.
  ///
  /// Shape 0 is for raw records.
  private(set) var shapes: [Int32] = [0]
  private var columnsByTag: [UInt32: Int32] = [:]

  mutating func reset(_ nodes: inout MutableSpan<Node>) {
    nodes[Self.root] = Node()
    nodeCount = 1
    columns.removeLast(columns.count - 1)
    shapes.removeLast(shapes.count - 1)
    columnsByTag.removeAll(keepingCapacity: true)
  }

  /// Finds or adds the child for a tag when it is not the latest child; nil if there is no room for a new
  /// one.
  mutating func search(_ tag: FieldTag, from node: Int, in nodes: inout MutableSpan<Node>) -> Int? {
    var child = Int(nodes[node].firstChild)
    var siblings = 0
    while child != 0, nodes[child].tag != tag.rawValue {
      child = Int(nodes[child].nextSibling)
      siblings += 1
    }
    if child == 0 {
      guard siblings < Self.mostSiblings, nodeCount < Self.mostNodes,
        nodes[node].depth < ColumnLimits.tagsPerShape
      else { return nil }
      child = nodeCount
      nodeCount += 1
      nodes[child] = Node(
        tag: tag.rawValue, wireType: tag.wireType, column: column(of: tag), parent: Int32(node),
        depth: nodes[node].depth + 1, nextSibling: nodes[node].firstChild)
      nodes[node].firstChild = Int32(child)
    }
    nodes[node].latest = Int32(child)
    return child
  }

  /// Returns the number of the shape that ends at a node; nil if the form has no room for a new shape.
  @inline(__always)
  mutating func shape(endingAt node: Int, in nodes: inout MutableSpan<Node>) -> UInt16? {
    if nodes[node].shape == 0 {
      guard shapes.count < ColumnLimits.shapes else { return nil }
      nodes[node].shape = Int32(shapes.count)
      shapes.append(Int32(node))
    }
    return UInt16(truncatingIfNeeded: nodes[node].shape)
  }

  private mutating func column(of tag: FieldTag) -> Int32 {
    if let known = columnsByTag[tag.rawValue] { return known }
    let column = Int32(columns.count)
    columnsByTag[tag.rawValue] = column
    columns.append(tag.rawValue)
    return column
  }
}
