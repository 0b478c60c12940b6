internal import FuekiSQLite

/// Decoded records as the values of their columns.
///
/// ``RecordSteps`` defines the slots.
struct DecodedRecords: Sendable {
  /// An id in one of a record's lists.
  struct ListEntry: Sendable {
    let record: Int
    let list: Int
    let id: Range<Int>
  }

  /// The bytes of the values' ranges: the block, followed by assembled values.
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

  /// Returns the bytes of a value, such as an id; nil if it has none.
  func bytes(_ record: Int, _ slot: Int) -> [UInt8]? {
    self[record, slot].range.map { Array(bytes[$0]) }
  }

  /// Runs a statement with a record's first values and, if it has the parameter, a row.
  func run(_ statement: inout SQLStatement, _ record: Int, count: Int, row: Int64? = nil)
    throws(StatementError)
  {
    let start = record * width
    try statement.run(values.span.extracting(start..<start + count), row: row, in: bytes.span)
  }

  /// Runs a statement that selects some records from a table in memory.
  func run(_ statement: inout SQLStatement, of table: MemoryTable, _ records: Range<Int>)
    throws(StatementError)
  {
    let some = values.span.extracting(records.lowerBound * width..<records.upperBound * width)
    try table.run(&statement, some, width: width, in: bytes.span)
  }

  /// Runs an optional statement, if it is prepared.
  func run(_ statement: inout SQLStatement?, _ record: Int, count: Int, row: Int64) throws(StatementError) {
    let start = record * width
    try statement?.run(values.span.extracting(start..<start + count), row: row, in: bytes.span)
  }

  /// Appends encoded fields to a value.
  ///
  /// Adjacent fields remain one range.
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

  /// Sets a value to bytes that are not in the block.
  mutating func set(_ value: [UInt8], isText: Bool, _ record: Int, _ slot: Int) {
    let start = bytes.count
    bytes += value
    self[record, slot] = SQLValue(start..<bytes.count, isText: isText)
  }
}
