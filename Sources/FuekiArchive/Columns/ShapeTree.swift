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
