internal import FoundationEssentials
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Takes records apart into the values of their table's columns; works on any thread.
///
/// Each record becomes `width` values: one for every column that is not a list (a parent is one value, its id),
/// then `extra`, then the announced columns that this version does not know.
struct RecordDecoder: Sendable {
  let table: StoreTable
  let width: Int
  private let targets: [Target?]
  private let extraSlot: Int
  private let unknownSlots: [String: Int]

  private struct Target: Sendable {
    enum Kind: Sendable { case bytes, text, number, signed, wire, list(Int), tail }

    let kind: Kind
    let slot: Int
  }

  init(_ table: StoreTable, unknownColumns: [String] = []) {
    self.table = table
    var targets = [Target?](repeating: nil, count: 32)
    var slot = 0
    var lists = 0
    for column in table.columns {
      let kind: Target.Kind
      switch column.content {
      case .bytes, .optionalBytes, .parent: kind = .bytes
      case .text, .optionalText: kind = .text
      case .number, .optionalNumber: kind = .number
      case .optionalSigned: kind = .signed
      case .wire(let fields):
        for field in fields { targets[Int(field)] = Target(kind: .wire, slot: slot) }
        slot += 1
        continue
      case .list:
        targets[Int(column.field)] = Target(kind: .list(lists), slot: 0)
        lists += 1
        continue
      }
      targets[Int(column.field)] = Target(kind: kind, slot: slot)
      slot += 1
    }
    if table.name == .receipts { targets[2] = Target(kind: .bytes, slot: slot + 1 + unknownColumns.count) }
    targets[15] = Target(kind: .tail, slot: slot)
    self.targets = targets
    extraSlot = slot
    unknownSlots = Dictionary(
      unknownColumns.enumerated().map { ($1, slot + 1 + $0) }, uniquingKeysWith: { first, _ in first })
    // A receipt's transaction is not among its table's columns: it decides the row.
    width = slot + 1 + unknownColumns.count + (table.name == .receipts ? 1 : 0)
  }

  /// Decodes the records that lie at some ranges of a block.
  func decode(_ block: [UInt8], _ messages: [Range<Int>]) throws -> DecodedRecords {
    var records = DecodedRecords(block: block, width: width, count: messages.count)
    for (place, message) in messages.enumerated() {
      try decode(message, of: block, at: place, into: &records)
    }
    return records
  }

  private func decode(
    _ message: Range<Int>, of block: [UInt8], at place: Int, into records: inout DecodedRecords
  ) throws {
    let span = block.span.extracting(message)
    let base = message.lowerBound
    var reader = WireReader()
    while let field = try reader.next(in: span) {
      guard field.number < 32, let target = targets[Int(field.number)] else {
        records.append(field.range.moved(by: base), place, extraSlot)
        continue
      }
      switch (target.kind, field.value) {
      case (.bytes, .content(let range)): records[place, target.slot] = .bytes(range.moved(by: base))
      case (.text, .content(let range)):
        guard (try? UTF8Span(validating: span.extracting(range))) != nil else {
          throw WireError.invalidValue(field: field.number)
        }
        records[place, target.slot] = .bytes(range.moved(by: base))
      case (.number, .varint(let value)): records[place, target.slot] = .number(Int64(bitPattern: value))
      case (.signed, .varint): records[place, target.slot] = .number(try field.zigzag())
      case (.list(let list), .content(let range)):
        records.lists.append((place, list, Data(block[range.moved(by: base)])))
      case (.wire, .content): records.append(field.range.moved(by: base), place, target.slot)
      case (.tail, .content(let range)):
        guard try !setUnknown(Array(block[range.moved(by: base)]), place, &records) else { continue }
        records.append(field.range.moved(by: base), place, extraSlot)
      default: records.append(field.range.moved(by: base), place, extraSlot)
      }
    }
  }

  /// Puts an entry of field 15 into its column, if it is of a column that a newer version had.
  private func setUnknown(
    _ entry: [UInt8], _ place: Int, _ records: inout DecodedRecords
  ) throws -> Bool {
    guard !unknownSlots.isEmpty else { return false }
    let entry = try Extra(serializedBytes: entry)
    guard let slot = unknownSlots[entry.name] else { return false }
    switch entry.value {
    case .integer(let value): records[place, slot] = .number(value)
    case .real(let value): records[place, slot] = .value(value.databaseValue)
    case .text(let value): records[place, slot] = .value(value.databaseValue)
    case .blob(let value): records[place, slot] = .value(value.databaseValue)
    case .json, nil: return false
    }
    return true
  }
}

extension Range<Int> {
  fileprivate func moved(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
