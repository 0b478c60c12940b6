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

/// The limits of a block's column form: "Column form" in fueki-archive(5).
package enum ColumnLimits {
  static let shapes = 4096
  static let tagsPerShape = 256
  static let fieldNumbers: ClosedRange<UInt32> = 1...(1 << 29) - 1

  /// The maximum length of a column form for this much plaintext.
  package static func formBytes(plaintextBytes: Int) -> Int { plaintextBytes + min(plaintextBytes, 65_536) }
}

/// The part of a form before its columns: the shapes, and the shape of each record.
struct FormShapes {
  typealias Malformed = ColumnFormReader.Malformed

  /// A tag of a shape.
  struct Tag {
    let key: UInt32
    let wireType: FieldTag.WireType
    /// The column of its values, once the columns are known.
    var column: Int32 = 0
  }

  let recordCount: Int
  /// The position of the first column.
  let end: Int
  /// The tags of all shapes, concatenated.
  private(set) var tags: [Tag] = []
  /// The distinct keys of the tags, ascending: the columns after the first.
  private(set) var keys: [UInt32] = []
  /// The number of values in each column.
  ///
  /// The first column is for raw records.
  private(set) var counts: [Int] = []
  /// The start of each shape's tags in ``tags``, followed by the end of the last.
  private var starts: [Int32] = [0]
  private let numbersStart: Int

  init(_ form: Span<UInt8>, plaintextBytes: Int) throws(Malformed) {
    guard form.count >= 6 else { throw Malformed() }
    let shapeCount = Int(form.u16(at: 4))
    recordCount = Int(form.u32(at: 0))
    // Every shape and every record takes two of the bytes that follow.
    guard recordCount >= 1, recordCount <= plaintextBytes, 1...ColumnLimits.shapes ~= shapeCount,
      recordCount + shapeCount <= (form.count - 6) / 2
    else { throw Malformed() }
    var position = 6
    for shape in 0..<shapeCount {
      guard form.count - position >= 2 else { throw Malformed() }
      let tagCount = Int(form.u16(at: position))
      position += 2
      guard tagCount <= (shape == 0 ? 0 : ColumnLimits.tagsPerShape), tagCount <= form.count - position else {
        throw Malformed()
      }
      for _ in 0..<tagCount {
        guard let key = Varint.read(form, at: &position, end: form.count), let tag = FieldTag(key)
        else { throw Malformed() }
        tags.append(Tag(key: tag.rawValue, wireType: tag.wireType))
      }
      starts.append(Int32(tags.count))
    }
    guard recordCount <= (form.count - position) / 2 else { throw Malformed() }
    numbersStart = position
    end = position + 2 * recordCount
    try countValues(form, plaintextBytes: plaintextBytes)
  }

  @inline(__always)
  func shape(ofRecord record: Int, in form: Span<UInt8>) -> Int {
    Int(form.u16(at: numbersStart + 2 * record))
  }

  /// Returns the range of a shape's tags in ``tags``.
  @inline(__always)
  func tags(of shape: Int) -> Range<Int> { Int(starts[shape])..<Int(starts[shape + 1]) }

  /// Assigns a column to each tag, and counts each column's values.
  private mutating func countValues(_ form: Span<UInt8>, plaintextBytes: Int) throws(Malformed) {
    var uses = [Int](repeating: 0, count: starts.count - 1)
    for record in 0..<recordCount {
      let shape = shape(ofRecord: record, in: form)
      guard shape < uses.count else { throw Malformed() }
      uses[shape] += 1
    }
    // Each tag of a record yields at least two bytes of the plaintext.
    var values = 0
    for shape in uses.indices { values += uses[shape] * tags(of: shape).count }
    guard values <= plaintextBytes else { throw Malformed() }

    // Keys with their places in the low bits: one sort yields the columns and their uses.
    var sorted = tags.indices.map { UInt64(tags[$0].key) << 32 | UInt64($0) }
    sorted.sort()
    for entry in sorted {
      let key = UInt32(truncatingIfNeeded: entry >> 32)
      if keys.last != key { keys.append(key) }
      tags[Int(entry & 0xFFFF_FFFF)].column = Int32(keys.count)
    }
    counts = [Int](repeating: 0, count: keys.count + 1)
    counts[0] = uses[0]
    for shape in uses.indices {
      for tag in tags(of: shape) { counts[Int(tags[tag].column)] += uses[shape] }
    }
  }
}

extension Span<UInt8> {
  @inline(__always)
  func u16(at start: Int) -> UInt16 { UInt16(self[start]) | UInt16(self[start + 1]) << 8 }

  @inline(__always)
  func u32(at start: Int) -> UInt32 { UInt32(u16(at: start)) | UInt32(u16(at: start + 2)) << 16 }
}

/// A form's columns, and the read position in each.
struct FormColumns {
  typealias Malformed = ColumnFormReader.Malformed

  private struct Column {
    /// The position of the next value or, with payloads, of the next length.
    var next: Int
    let end: Int
    /// The next payload.
    var payload = 0
  }

  private var columns: [Column] = []

  /// Locates the columns, which must end at the form's end.
  init(_ form: Span<UInt8>, shapes: FormShapes) throws(Malformed) {
    var position = shapes.end
    columns.reserveCapacity(shapes.counts.count)
    for index in shapes.counts.indices {
      let count = shapes.counts[index]
      let wireType = index == 0 ? .lengthDelimited : FieldTag.WireType(rawValue: shapes.keys[index - 1] & 7)
      switch wireType {
      case .varint: columns.append(try Self.varints(form, count: count, at: &position))
      case .eightBytes: columns.append(try Self.fixed(form, width: 8, count: count, at: &position))
      case .fourBytes: columns.append(try Self.fixed(form, width: 4, count: count, at: &position))
      case .lengthDelimited: columns.append(try Self.payloads(form, count: count, at: &position))
      case nil: throw Malformed()
      }
    }
    guard position == form.count else { throw Malformed() }
  }

  /// Whether every column was read completely.
  ///
  /// Payloads end where their lengths say.
  var areUsedUp: Bool { columns.allSatisfy { $0.next == $0.end } }

  /// Copies a record's fields, given their tags.
  @inline(__always)
  mutating func copyFields(
    _ tags: Span<FormShapes.Tag>, _ form: Span<UInt8>, to output: inout MutableSpan<UInt8>,
    at position: inout Int
  ) throws(Malformed) {
    for place in tags.indices {
      let column = Int(tags[place].column)
      let wireType = tags[place].wireType
      guard position <= output.count - Self.mostKeyBytes else { throw Malformed() }
      Varint.write(UInt64(tags[place].key), to: &output, at: &position)
      guard wireType != .lengthDelimited else {
        let count = takeLength(of: column, form)
        guard position <= output.count - Self.mostKeyBytes else { throw Malformed() }
        Varint.write(UInt64(count), to: &output, at: &position)
        try copyPayload(of: column, count: count, form, to: &output, at: &position)
        continue
      }
      let start = columns[column].next
      let end = columns[column].end
      let width =
        switch wireType {
        case .varint, .lengthDelimited: Varint.width(form, at: start, end: end)
        case .eightBytes: 8
        case .fourBytes: 4
        }
      guard let width, width <= output.count - position else { throw Malformed() }
      output.copy(form, from: start, count: width, to: position)
      position += width
      columns[column].next = start + width
    }
  }

  /// Copies a raw record's message.
  mutating func copyRawRecord(
    _ form: Span<UInt8>, to output: inout MutableSpan<UInt8>, at position: inout Int
  ) throws(Malformed) {
    let count = takeLength(of: 0, form)
    try copyPayload(of: 0, count: count, form, to: &output, at: &position)
  }

  /// Reads the next length of a column.
  ///
  /// All lengths were validated before.
  @inline(__always)
  private mutating func takeLength(of column: Int, _ form: Span<UInt8>) -> Int {
    let end = columns[column].end
    return Int(Varint.read(form, at: &columns[column].next, end: end) ?? 0)
  }

  @inline(__always)
  private mutating func copyPayload(
    of column: Int, count: Int, _ form: Span<UInt8>, to output: inout MutableSpan<UInt8>,
    at position: inout Int
  ) throws(Malformed) {
    guard count <= output.count - position else { throw Malformed() }
    output.copy(form, from: columns[column].payload, count: count, to: position)
    position += count
    columns[column].payload += count
  }

  /// The maximum bytes of a key, which has 29 + 3 bits.
  ///
  /// A length needs no more.
  private static let mostKeyBytes = 5

  private static func byteLength(_ form: Span<UInt8>, at position: inout Int) throws(Malformed) -> Int {
    guard form.count - position >= 4 else { throw Malformed() }
    let length = Int(form.u32(at: position))
    position += 4
    guard length <= form.count - position else { throw Malformed() }
    return length
  }

  private static func varints(
    _ form: Span<UInt8>, count: Int, at position: inout Int
  ) throws(Malformed) -> Column {
    let length = try byteLength(form, at: &position)
    guard count <= length else { throw Malformed() }
    defer { position += length }
    return Column(next: position, end: position + length)
  }

  private static func fixed(
    _ form: Span<UInt8>, width: Int, count: Int, at position: inout Int
  ) throws(Malformed) -> Column {
    guard count <= (form.count - position) / width else { throw Malformed() }
    defer { position += count * width }
    return Column(next: position, end: position + count * width)
  }

  /// Reads all lengths, which ensures that each payload is present.
  private static func payloads(
    _ form: Span<UInt8>, count: Int, at position: inout Int
  ) throws(Malformed) -> Column {
    let length = try byteLength(form, at: &position)
    guard count <= length else { throw Malformed() }
    let start = position
    let end = start + length
    var left = form.count - end
    for _ in 0..<count {
      guard let payload = Varint.read(form, at: &position, end: end), payload <= UInt64(left) else {
        throw Malformed()
      }
      left -= Int(payload)
    }
    guard position == end else { throw Malformed() }
    position = form.count - left
    return Column(next: start, end: end, payload: end)
  }
}
