internal import FuekiCompression

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
