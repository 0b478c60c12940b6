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
  func decode(_ bytes: [UInt8], _ messages: [Range<Int>]) throws -> DecodedRecords {
    var records = DecodedRecords(width: width, count: messages.count)
    for (place, message) in messages.enumerated() {
      try decode(bytes, message, at: place, into: &records)
    }
    return records
  }

  private func decode(
    _ bytes: [UInt8], _ message: Range<Int>, at place: Int, into records: inout DecodedRecords
  ) throws {
    let span = bytes.span.extracting(message)
    let base = message.lowerBound
    var reader = WireReader()
    while let field = try reader.next(in: span) {
      let target = field.number < 32 ? targets[Int(field.number)] : nil
      let whole = base + field.range.lowerBound..<base + field.range.upperBound
      switch (target?.kind, field.value) {
      case (.bytes, .content(let range)):
        let value = Data(bytes[base + range.lowerBound..<base + range.upperBound])
        records.set(value.databaseValue, place, target?.slot ?? 0)
      case (.text, .content(let range)):
        records.set(
          try text(bytes, base + range.lowerBound..<base + range.upperBound), place, target?.slot ?? 0)
      case (.number, .varint(let value)):
        records.set(Int64(bitPattern: value).databaseValue, place, target?.slot ?? 0)
      case (.signed, .varint):
        records.set(try field.zigzag().databaseValue, place, target?.slot ?? 0)
      case (.wire, .content): records.append(whole, target?.slot ?? 0)
      case (.list(let list), .content(let range)):
        let id = Data(bytes[base + range.lowerBound..<base + range.upperBound])
        records.lists.append((place, list, id))
      case (.tail, .content(let range)):
        let entry = base + range.lowerBound..<base + range.upperBound
        guard try !setUnknown(bytes, entry, place, &records) else { continue }
        records.append(whole, extraSlot)
      default: records.append(whole, extraSlot)
      }
    }
    records.close(bytes, place)
  }

  /// A text of SQLite: as bytes where a C string would end before it does.
  private func text(_ bytes: [UInt8], _ range: Range<Int>) throws -> DatabaseValue {
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw WireError.invalidValue(field: 0)
    }
    return bytes[range].contains(0) ? Data(bytes[range]).databaseValue : text.databaseValue
  }

  /// Puts an entry of field 15 into its column, if it is of a column that a newer version had.
  private func setUnknown(
    _ bytes: [UInt8], _ range: Range<Int>, _ place: Int, _ records: inout DecodedRecords
  ) throws -> Bool {
    guard !unknownSlots.isEmpty else { return false }
    let entry = try Extra(serializedBytes: Array(bytes[range]))
    guard let slot = unknownSlots[entry.name] else { return false }
    switch entry.value {
    case .integer(let value): records.set(value.databaseValue, place, slot)
    case .real(let value): records.set(value.databaseValue, place, slot)
    case .text(let value): records.set(value.databaseValue, place, slot)
    case .blob(let value): records.set(value.databaseValue, place, slot)
    case .json, nil: return false
    }
    return true
  }
}
