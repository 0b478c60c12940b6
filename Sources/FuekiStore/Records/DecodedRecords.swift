internal import FoundationEssentials
internal import GRDB

/// Records as the values of their columns, one after another.
struct DecodedRecords: Sendable {
  let width: Int
  let count: Int
  private(set) var values: [DatabaseValue]
  /// Ids of lists: which record, which of its table's lists, the id.
  var lists: [(record: Int, list: Int, id: Data)] = []
  /// Runs of bytes that have not been copied to their value yet: fields that follow one another are one copy.
  private var pending: [(slot: Int, range: Range<Int>)] = []

  /// Makes room for records that are to be decoded.
  init(width: Int, count: Int) {
    self.init(width: width, count: count, values: [DatabaseValue](repeating: .null, count: width * count))
  }

  /// Takes records that are decoded.
  init(width: Int, count: Int, values: [DatabaseValue]) {
    self.width = width
    self.count = count
    self.values = values
  }

  /// The values of one record.
  func record(_ place: Int) -> ArraySlice<DatabaseValue> { values[place * width..<(place + 1) * width] }

  mutating func set(_ value: DatabaseValue, _ place: Int, _ slot: Int) {
    values[place * width + slot] = value
  }

  /// Appends bytes of the record that is being decoded to one of its values.
  mutating func append(_ range: Range<Int>, _ slot: Int) {
    if let last = pending.last, last.slot == slot, last.range.upperBound == range.lowerBound {
      pending[pending.count - 1].range = last.range.lowerBound..<range.upperBound
    } else {
      pending.append((slot, range))
    }
  }

  /// Copies what was appended to a record's values.
  mutating func close(_ bytes: [UInt8], _ place: Int) {
    for (slot, range) in pending {
      if let before = Data.fromDatabaseValue(values[place * width + slot]) {
        set((before + bytes[range]).databaseValue, place, slot)
      } else {
        set(Data(bytes[range]).databaseValue, place, slot)
      }
    }
    pending.removeAll(keepingCapacity: true)
  }
}
