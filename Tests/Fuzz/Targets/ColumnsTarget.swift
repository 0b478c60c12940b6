internal import FuekiArchive

extension FuzzTarget {
  /// A block's plaintext length in three bytes, and its column form.
  static let columns = FuzzTarget("columns") { input in
    guard input.count >= 3 else { return }
    let length = Int(input[0]) | Int(input[1]) << 8 | Int(input[2]) << 16
    let form = input.span.extracting(3...)
    // A reader checks this with the frame.
    guard form.count <= ColumnLimits.formBytes(plaintextBytes: length) else { return }
    let plaintext = try ColumnFormReader.decode(form, plaintextBytes: length)
    precondition(plaintext.count == length, "columns give another length than was asked for")
    var writer = ColumnFormWriter()
    var again: [UInt8] = []
    precondition(writer.scan(plaintext.span), "columns give bytes that are no records")
    guard let count = writer.encode(plaintext.span, to: &again) else { return }
    let second = try? ColumnFormReader.decode(again.span.extracting(0..<count), plaintextBytes: length)
    precondition(second == plaintext, "records come back as other ones")
  }

  /// A block of records, which the writer converts to columns if possible.
  static let rows = FuzzTarget("rows") { block in
    var writer = ColumnFormWriter()
    var form: [UInt8] = []
    guard writer.scan(block.span), let count = writer.encode(block.span, to: &form) else { return }
    let again = try? ColumnFormReader.decode(form.span.extracting(0..<count), plaintextBytes: block.count)
    precondition(again == block, "records do not come back from their columns")
  }
}
