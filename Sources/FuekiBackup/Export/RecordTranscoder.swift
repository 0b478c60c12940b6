internal import FuekiWallet

/// Turns records as they are on the wire into JSON, without making messages of them first.
enum RecordTranscoder {
  /// Fields are not in ascending order, one is there twice, or a value is not one of its type.
  ///
  /// SwiftProtobuf may still know another spelling of the record.
  struct Unusual: Error {}

  /// The number that `extra` has in every record.
  private static let extraNumber: UInt32 = 15
  private static let extraName: MemberName = "extra"
  private static let unknownName: MemberName = "unknown_fields"

  /// Writes a record as an object.
  ///
  /// On a throw the writer holds half an object and is to be let go.
  static func write(
    _ message: Span<UInt8>, as shape: RecordShape, to writer: inout JSONLineWriter
  ) throws {
    writer.beginObject()
    try writeMembers(message, as: shape, to: &writer)
    writer.endObject()
  }

  /// Writes a record's members into an object that is open.
  static func writeMembers(
    _ message: Span<UInt8>, as shape: RecordShape, to writer: inout JSONLineWriter
  ) throws {
    var reader = WireReader()
    var passage = Passage(shape)
    var extra: [Range<Int>] = []
    var unknown: [UInt8] = []
    while let field = try reader.next(in: message) {
      if field.number == extraNumber {
        extra.append(try field.content())
      } else if try passage.reach(field.number, writing: &writer) {
        try write(field, of: message, as: passage.current, to: &writer)
      } else {
        unknown.append(copying: message.extracting(field.range))
      }
    }
    passage.finish(writing: &writer)
    if !extra.isEmpty {
      writer.name(extraName)
      writer.beginList()
      for range in extra { try write(message.extracting(range), as: .extra, to: &writer) }
      writer.endList()
    }
    if !unknown.isEmpty {
      writer.name(unknownName)
      writer.value(base64: unknown.span)
    }
  }

  /// Writes a value whose name is written.
  private static func write(
    _ field: WireField, of message: Span<UInt8>, as shape: FieldShape, to writer: inout JSONLineWriter
  ) throws {
    switch shape.value {
    case .text:
      let range = try field.content()
      guard writer.value(utf8: message.extracting(range)) else { throw Unusual() }
    case .packed: writer.value(packed: message.extracting(try field.content()))
    case .bytes: writer.value(base64: message.extracting(try field.content()))
    case .fileName: writer.value(fileName: message.extracting(try field.content()))
    case .boolean:
      let value = try field.varint()
      guard value <= 1 else { throw Unusual() }
      writer.value(value == 1)
    case .unsigned32:
      let value = try field.varint()
      guard value <= UInt64(UInt32.max) else { throw Unusual() }
      writer.value(value)
    case .unsigned64: writer.value(try field.varint())
    case .signed32:
      let value = Int64(bitPattern: try field.varint())
      guard Int32(exactly: value) != nil else { throw Unusual() }
      writer.value(value)
    case .zigzag: writer.value(try field.zigzag())
    case .time: writer.value(microsecondsSince1970: try field.zigzag())
    case .real:
      guard case .fixed64(let bits) = field.value else { throw Unusual() }
      writer.value(Double(bitPattern: bits))
    case .message:
      guard let shape = shape.message else { throw Unusual() }
      try write(message.extracting(try field.content()), as: shape, to: &writer)
    case .omitted: _ = try field.content()
    }
  }
}

/// The way through a shape's fields, in step with those on the wire, which writes what these leave out.
private struct Passage {
  private let fields: [FieldShape]
  /// The index of the field that is next in turn.
  private var next = 0
  private var isInList = false
  private var hasChosen = false

  init(_ shape: RecordShape) { fields = shape.fields }

  /// The field that was reached.
  var current: FieldShape { fields[next - 1] }

  /// Advances to a field and writes its name; returns false if the shape has no field of that number.
  mutating func reach(
    _ number: UInt32, writing writer: inout JSONLineWriter
  ) throws -> Bool {
    if isInList, current.number == number { return true }
    var index = next
    while index < fields.count, fields[index].number < number { index += 1 }
    guard index < fields.count, fields[index].number == number else {
      guard !fields[..<next].contains(where: { $0.number == number }) else {
        throw RecordTranscoder.Unusual()
      }
      return false
    }
    skip(to: index, writing: &writer)
    next = index + 1
    return try begin(fields[index], writing: &writer)
  }

  /// Writes what remains.
  mutating func finish(writing writer: inout JSONLineWriter) {
    skip(to: fields.count, writing: &writer)
  }

  private mutating func begin(
    _ field: FieldShape, writing writer: inout JSONLineWriter
  ) throws -> Bool {
    switch field.presence {
    case .always, .optional: break
    case .list: isInList = true
    case .choice:
      guard !hasChosen else { throw RecordTranscoder.Unusual() }
      hasChosen = true
    }
    if case .omitted = field.value { return true }
    writer.name(field.name)
    if isInList { writer.beginList() }
    return true
  }

  private mutating func skip(to end: Int, writing writer: inout JSONLineWriter) {
    if isInList {
      writer.endList()
      isInList = false
    }
    while next < end {
      let field = fields[next]
      if field.presence == .always {
        writer.name(field.name)
        writer.emptyValue(of: field.value)
      }
      next += 1
    }
  }
}

extension JSONLineWriter {
  /// Writes the value of a field that the wire omits.
  fileprivate mutating func emptyValue(of value: RecordField.Value) {
    switch value {
    case .text, .packed, .bytes, .fileName, .omitted: self.value("")
    case .boolean: self.value(false)
    case .unsigned32, .unsigned64, .signed32, .zigzag, .real: self.value(UInt64(0))
    case .time: self.value(microsecondsSince1970: 0)
    case .message:
      beginObject()
      endObject()
    }
  }
}
