internal import FuekiCompression

/// Encodes blocks in column form: "Column form" in fueki-archive(5).
///
/// The scratch memory persists between blocks. Reuse avoids most allocation.
package struct ColumnFormWriter: Sendable {
  private var fields = FieldScan()

  /// Creates a writer with its own scratch memory.
  package init() {}

  /// The number of records in the last block, and of its bytes stored as raw records.
  var recordCount: Int { fields.shapes.count }
  var rawBytes: Int { Int(fields.nodes[ShapeTree.root].bytes) }

  /// Scans a block for its fields; false if it is not made of whole records.
  package mutating func scan(_ block: Span<UInt8>) -> Bool {
    block.count <= Limits.recordBytes && fields.scan(block)
  }

  /// Encodes the block scanned last at the start of `buffer`, growing it if needed.
  ///
  /// - Returns: the form's length; nil if it would exceed its limit.
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
