internal import FoundationEssentials
internal import GRDB

/// Records as arguments of the statements that insert them.
struct BoundRecords: Sendable {
  /// One record's arguments, and which statement they are for.
  struct Row: Sendable {
    let pattern: InsertionPattern
    let arguments: StatementArguments
  }

  fileprivate(set) var rows: [Row] = []
  /// The records that the arguments were made of.
  let records: DecodedRecords
}

/// Makes arguments of decoded records; works on any thread.
///
/// Handing SQLite a value costs more than storing it. So what a record lacks is not bound; ids, hashes and
/// addresses of the usual lengths go as one argument, which the statement cuts; and the texts that nearly all
/// records have are part of the statement. Each such ``InsertionPattern`` has its statement.
struct RecordBinding: Sendable {
  /// A column to insert.
  struct Slot: Sendable {
    let name: String
    var isText = false
    var isWire = false
    var commonTexts: [[UInt8]] = []
    var parent: StoreTable.Name?
  }

  let table: StoreTable
  let slots: [Slot]

  init(_ table: StoreTable, unknownColumns: [String] = []) {
    self.table = table
    slots =
      table.columns.compactMap(Self.slot) + [Slot(name: "extra")]
      + unknownColumns.map { Slot(name: SQLName.quoted($0)) }
  }

  private static func slot(_ column: StoreColumn) -> Slot? {
    let name = "\"\(column.name)\""
    switch column.content {
    case .list: return nil
    case .parent(let parent): return Slot(name: column.name, parent: parent)
    case .text, .optionalText: return Slot(name: name, isText: true, commonTexts: column.commonTexts)
    case .wire: return Slot(name: name, isWire: true)
    default: return Slot(name: name)
    }
  }

  /// Makes the arguments of all records; `row` finds the row of a parent.
  func bind(
    _ records: DecodedRecords, row: (Data, StoreTable.Name) throws -> Int64?
  ) throws -> BoundRecords {
    var bound = BoundRecords(records: records)
    bound.rows.reserveCapacity(records.count)
    var joined: [UInt8] = []
    for record in 0..<records.count {
      bound.rows.append(try bind(records, record, &joined, row))
    }
    return bound
  }

  private func bind(
    _ records: DecodedRecords, _ record: Int, _ joined: inout [UInt8],
    _ row: (Data, StoreTable.Name) throws -> Int64?
  ) throws -> BoundRecords.Row {
    var pattern = InsertionPattern()
    var arguments: [(any DatabaseValueConvertible)?] = [nil]
    var wire: Range<Int>?
    joined.removeAll(keepingCapacity: true)
    for (place, slot) in slots.enumerated() {
      switch records[record, place] {
      case .absent:
        // Beyond the pattern's places, which only columns of newer versions can be, every value is bound.
        if place >= InsertionPattern.places { arguments.append(nil) }
      case .number(let value):
        arguments.append(value)
        pattern[place] = .bound
      case .value(let value):
        arguments.append(value)
        pattern[place] = .bound
      case .bytes(let range):
        if let parent = slot.parent {
          let id = Data(records.block[range])
          let parentRow = try row(id, parent)
          arguments.append(parentRow ?? id)
          pattern[place] = parentRow == nil ? .missingParent : .bound
        } else if slot.isText {
          if let common = slot.commonTexts.firstIndex(where: { $0.elementsEqual(records.block[range]) }) {
            pattern[place] = .commonText(common)
          } else {
            arguments.append(Self.text(records.block[range]))
            pattern[place] = .bound
          }
        } else if let piece = InsertionPattern.Part(pieceOf: range.count), place < InsertionPattern.places {
          joined += records.block[range]
          pattern[place] = piece
        } else if slot.isWire, wire == nil, place < InsertionPattern.places {
          wire = range
          pattern[place] = .rest
        } else {
          arguments.append(Data(records.block[range]))
          pattern[place] = .bound
        }
      }
    }
    if let wire { joined += records.block[wire] }
    if pattern.hasJoined { arguments[0] = Data(joined) } else { arguments.removeFirst() }
    return BoundRecords.Row(pattern: pattern, arguments: StatementArguments(arguments))
  }

  /// A text of SQLite: as bytes where a C string would end before it does.
  private static func text(_ bytes: ArraySlice<UInt8>) -> any DatabaseValueConvertible {
    bytes.contains(0) ? Data(bytes) : String(decoding: bytes, as: UTF8.self)
  }
}
