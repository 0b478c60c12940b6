internal import FuekiCompression

/// Makes the column form of blocks: "Column form" in fueki-archive(5).
///
/// It keeps its scratch from block to block, so that who uses one again and again allocates hardly anything.
package struct ColumnFormWriter: Sendable {
  private var fields = FieldScan()

  /// A writer with scratch of its own.
  package init() {}

  /// How many records the last block had, and how many of its bytes lie in the form as raw records.
  var recordCount: Int { fields.shapes.count }
  var rawBytes: Int { Int(fields.nodes[ShapeTree.root].bytes) }

  /// Looks what a block consists of; false where it is not whole records.
  package mutating func scan(_ block: Span<UInt8>) -> Bool {
    block.count <= Limits.recordBytes && fields.scan(block)
  }

  /// Makes the form of the block that was scanned last, at the start of `buffer`, which grows where it has to.
  ///
  /// - Returns: the form's length; nil where it would be over its limit.
  package func encode(_ block: Span<UInt8>, to buffer: inout [UInt8]) -> Int? {
    var layout = FormLayout(fields)
    guard layout.byteCount <= ColumnLimits.formBytes(plaintextBytes: block.count) else { return nil }
    if buffer.count < layout.byteCount {
      buffer.append(contentsOf: repeatElement(0, count: layout.byteCount - buffer.count))
    }
    var form = buffer.mutableSpan
    layout.writeHead(fields.shapes.span, to: &form)
    layout.scatter(fields.fields.span.extracting(0..<fields.fieldCount), of: block, to: &form)
    return layout.byteCount
  }
}
