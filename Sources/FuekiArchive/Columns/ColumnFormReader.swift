internal import FuekiCompression

/// Makes a block's plaintext of its column form: "Column form" in fueki-archive(5).
///
/// No number drives a loop or an allocation before bytes bear it out, and no form takes more time than in proportion
/// to its own length and the plaintext's, but for the sorting of its tags.
package enum ColumnFormReader {
  /// The bytes are no column form of a block of that length.
  package struct Malformed: Error {}

  /// A record is written before its length is known: so many bytes more than the block has may be needed at its end.
  private static let slackBytes = 16

  /// The plaintext, of exactly `plaintextBytes`.
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
      let actual = MinimalVarint.width(of: UInt64(length))
      guard position + actual + length <= plaintextBytes else { throw Malformed() }
      if actual != width {
        // The next record will mostly be about as long.
        output.move(from: start, count: length, to: position + actual)
        width = actual
      }
      MinimalVarint.write(UInt64(length), to: &output, at: &position)
      position += length
    }
    guard position == plaintextBytes, columns.areUsedUp else { throw Malformed() }
    plaintext.removeLast(slackBytes)
    return plaintext
  }
}
