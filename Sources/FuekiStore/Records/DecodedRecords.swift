internal import FuekiSQLite

/// Records as the values of their columns, one after another; ``RecordSteps`` says which slot is what.
struct DecodedRecords: Sendable {
  /// An id of one of a record's lists.
  struct ListEntry: Sendable {
    let record: Int
    let list: Int
    let id: Range<Int>
  }

  /// What the values' ranges lie in: the block, and behind it what had to be put together.
  private(set) var bytes: [UInt8]
  let width: Int
  let count: Int
  /// In the order of their records.
  var lists: [ListEntry] = []
  private var values: [SQLValue]

  init(block: [UInt8], width: Int, count: Int) {
    bytes = block
    self.width = width
    self.count = count
    values = [SQLValue](repeating: .null, count: width * count)
  }

  subscript(record: Int, slot: Int) -> SQLValue {
    get { values[record * width + slot] }
    set { values[record * width + slot] = newValue }
  }

  /// The bytes of a value, such as an id; nil where it has none.
  func bytes(_ record: Int, _ slot: Int) -> [UInt8]? {
    self[record, slot].range.map { Array(bytes[$0]) }
  }

  /// Runs a statement with a record's first values, and with a row where it takes one.
  func run(_ statement: inout SQLStatement, _ record: Int, count: Int, row: Int64? = nil)
    throws(StatementError)
  {
    let start = record * width
    try statement.run(values.span.extracting(start..<start + count), row: row, in: bytes.span)
  }

  /// Runs a statement, where it is prepared, like one that is.
  func run(_ statement: inout SQLStatement?, _ record: Int, count: Int, row: Int64) throws(StatementError) {
    let start = record * width
    try statement?.run(values.span.extracting(start..<start + count), row: row, in: bytes.span)
  }

  /// Appends encoded fields to a value; those that follow one another stay one range.
  mutating func append(_ range: Range<Int>, _ record: Int, _ slot: Int) {
    guard let before = self[record, slot].range else {
      return self[record, slot] = SQLValue(range, isText: false)
    }
    if before.upperBound == range.lowerBound {
      self[record, slot] = SQLValue(before.lowerBound..<range.upperBound, isText: false)
    } else {
      let joined = Array(bytes[before]) + bytes[range]
      set(joined, isText: false, record, slot)
    }
  }

  /// Gives a value bytes that are nowhere in the block.
  mutating func set(_ value: [UInt8], isText: Bool, _ record: Int, _ slot: Int) {
    let start = bytes.count
    bytes += value
    self[record, slot] = SQLValue(start..<bytes.count, isText: isText)
  }
}
