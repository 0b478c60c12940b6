internal import GRDB

/// Records as arguments of the statements that insert them.
struct BoundRecords: Sendable {
  /// Which columns the arguments are for, and the arguments; record by record.
  fileprivate(set) var rows: [(pattern: UInt64, arguments: StatementArguments)] = []
  /// The values that the arguments were made of.
  let records: DecodedRecords
}

/// Makes arguments of decoded values; works on any thread.
///
/// Records leave columns empty in a few patterns. Each has a statement of its own, which binds only what is there:
/// binding costs more than all else, and making the arguments half of that.
struct RecordBinding: Sendable {
  struct Slot: Sendable {
    let name: String
    let value: String
    let parent: StoreTable.Name?
  }

  let table: StoreTable
  let slots: [Slot]

  init(_ table: StoreTable, unknownColumns: [String] = []) {
    self.table = table
    slots =
      table.columns.compactMap(Self.slot) + [Slot(name: "extra", value: "?", parent: nil)]
      + unknownColumns.map { Slot(name: SQLName.quoted($0), value: "?", parent: nil) }
  }

  private static func slot(_ column: StoreColumn) -> Slot? {
    switch column.content {
    case .list: nil
    case .parent(let parent): Slot(name: column.name, value: "?", parent: parent)
    // A text with U+0000 comes as bytes.
    case .text, .optionalText: Slot(name: "\"\(column.name)\"", value: "CAST(? AS TEXT)", parent: nil)
    default: Slot(name: "\"\(column.name)\"", value: "?", parent: nil)
    }
  }

  /// Makes the arguments of all records; `row` finds the row of a parent.
  func bind(
    _ records: DecodedRecords, row: (DatabaseValue, StoreTable.Name) throws -> Int64?
  ) throws -> BoundRecords {
    var bound = BoundRecords(records: records)
    bound.rows.reserveCapacity(records.count)
    for place in 0..<records.count { bound.rows.append(try bind(records.record(place), row: row)) }
    return bound
  }

  /// Makes the arguments of one record.
  func bind(
    _ record: ArraySlice<DatabaseValue>, row: (DatabaseValue, StoreTable.Name) throws -> Int64?
  ) throws -> (pattern: UInt64, arguments: StatementArguments) {
    var arguments: [(any DatabaseValueConvertible)?] = []
    arguments.reserveCapacity(slots.count)
    var pattern: UInt64 = 0
    var bit: UInt64 = 2
    for (slot, value) in zip(slots, record) {
      defer { bit <<= 2 }
      // Beyond the pattern's bits, which only columns of newer versions can be, every value is bound.
      guard bit == 0 || !value.isNull else { continue }
      if let parent = slot.parent {
        let parentRow = try row(value, parent)
        arguments.append(parentRow ?? value)
        pattern |= parentRow == nil ? bit << 1 : bit
      } else {
        arguments.append(value)
        pattern |= bit
      }
    }
    return (pattern, StatementArguments(arguments))
  }

  /// The statement for a pattern: bit 0 for the row, then two bits for each slot, of which the second is for a
  /// parent that is not in the store.
  func insertion(_ pattern: UInt64) -> String {
    var names: [String] = []
    var values: [String] = []
    for (place, slot) in slots.enumerated() {
      let bits = 1 + 2 * place < 64 ? pattern >> UInt64(1 + 2 * place) & 3 : 1
      guard bits != 0 else { continue }
      names.append(slot.parent == nil ? slot.name : bits == 1 ? "\(slot.name)_row" : "\(slot.name)_id")
      values.append(slot.value)
    }
    if pattern & 1 == 1 || names.isEmpty {
      names.append("row_id")
      values.append(pattern & 1 == 1 ? "?" : "NULL")
    }
    return """
      INSERT INTO \(table.name.rawValue) (\(names.joined(separator: ", ")))
      VALUES (\(values.joined(separator: ", ")))
      """
  }
}
