internal import FuekiCompression

/// Decodes a block's plaintext from its column form: "Column form" in fueki-archive(5).
///
/// Every number is backed by bytes before it drives a loop or an allocation. Except for sorting the tags, the
/// time is proportional to the lengths of the form and the plaintext.
package enum ColumnFormReader {
  /// The bytes are not a column form of a block of the expected length.
  package struct Malformed: Error {}

  /// Spare bytes at the block's end: a record is written before the width of its length is known.
  private static let slackBytes = 16

  /// Returns the plaintext, of exactly `plaintextBytes`.
  package static func decode(_ form: Span<UInt8>, plaintextBytes: Int) throws(Malformed) -> [UInt8] {
    let shapes = try FormShapes(form, plaintextBytes: plaintextBytes)
    var columns = try FormColumns(form, shapes: shapes)
    var plaintext = [UInt8](repeating: 0, count: plaintextBytes + slackBytes)
    var output = plaintext.mutableSpan
    let tags = shapes.tags.span
    var position = 0
    var width = 1
    for record in 0..<shapes.recordCount {
      let shape = shapes.shape(ofRecord: record, in: form)
      let start = position + width
      var end = start
      if shape == 0 {
        try columns.copyRawRecord(form, to: &output, at: &end)
      } else {
        try columns.copyFields(
          tags.extracting(shapes.tags(of: shape)), form, to: &output, at: &end)
      }
      let length = end - start
      let actual = Varint.width(of: UInt64(length))
      guard position + actual + length <= plaintextBytes else { throw Malformed() }
      if actual != width {
        // The next record most likely has a similar length.
        output.move(from: start, count: length, to: position + actual)
        width = actual
      }
      Varint.write(UInt64(length), to: &output, at: &position)
      position += length
    }
    guard position == plaintextBytes, columns.areUsedUp else { throw Malformed() }
    plaintext.removeLast(slackBytes)
    return plaintext
  }
}
