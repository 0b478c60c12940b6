internal import FoundationEssentials
internal import GRDB

/// What a record has for one of its table's columns.
enum FieldValue: Sendable {
  case absent
  /// Bytes of the block, not copied yet.
  case bytes(Range<Int>)
  case number(Int64)
  /// Put together from several places, or of a column that this version does not know.
  case value(DatabaseValue)
}

/// Records as the values of their columns, one after another.
struct DecodedRecords: Sendable {
  /// The bytes that the values' ranges lie in.
  let block: [UInt8]
  let width: Int
  let count: Int
  /// Ids of lists: which record, which of its table's lists, the id.
  var lists: [(record: Int, list: Int, id: Data)] = []
  private var fields: [FieldValue]

  init(block: [UInt8], width: Int, count: Int) {
    self.block = block
    self.width = width
    self.count = count
    fields = [FieldValue](repeating: .absent, count: width * count)
  }

  subscript(record: Int, slot: Int) -> FieldValue {
    get { fields[record * width + slot] }
    set { fields[record * width + slot] = newValue }
  }

  /// The bytes of a value, such as an id.
  func bytes(_ record: Int, _ slot: Int) -> Data? {
    switch self[record, slot] {
    case .bytes(let range): Data(block[range])
    case .value(let value): Data.fromDatabaseValue(value)
    case .absent, .number: nil
    }
  }

  /// A value as SQLite takes it; a text that holds U+0000 is bytes, for a C string would end there.
  func value(_ record: Int, _ slot: Int, isText: Bool) -> DatabaseValue {
    switch self[record, slot] {
    case .absent: .null
    case .number(let number): number.databaseValue
    case .value(let value): value
    case .bytes(let range):
      isText && !block[range].contains(0)
        ? String(decoding: block[range], as: UTF8.self).databaseValue : Data(block[range]).databaseValue
    }
  }

  /// Appends encoded fields to a value; those that follow one another stay one range.
  mutating func append(_ range: Range<Int>, _ record: Int, _ slot: Int) {
    switch self[record, slot] {
    case .absent, .number: self[record, slot] = .bytes(range)
    case .bytes(let before) where before.upperBound == range.lowerBound:
      self[record, slot] = .bytes(before.lowerBound..<range.upperBound)
    case .bytes, .value:
      let joined = (bytes(record, slot) ?? Data()) + block[range]
      self[record, slot] = .value(joined.databaseValue)
    }
  }
}
