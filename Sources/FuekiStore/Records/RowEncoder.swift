internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiSQLite
internal import FuekiWallet
internal import SwiftProtobuf

/// Encodes a table's rows as records, for backups and repositories.
///
/// Columns are read in SQLite's memory, texts as bytes, because C strings would end at the first U+0000.
struct RowEncoder: Sendable {
  let steps: RecordSteps
  private let check: RecordCheck

  var table: StoreTable { steps.table }

  /// Prepares for a table, and for columns missing from its schema, which go to `extra`.
  init(_ table: StoreTable, unknownColumns: [String] = []) {
    steps = RecordSteps(table, unknownColumns: unknownColumns)
    check = RecordCheck(table.section)
  }

  /// Returns the query for rows.
  ///
  /// The first column is `row_id`.
  func sql(_ rest: String) -> String { steps.selection(rest) }

  /// Appends the fields of a row's record, with the ids of each of its lists, in the table's order.
  func append(
    _ row: borrowing SQLRow, lists: [[[UInt8]]] = [], parents: ParentIDs, to record: inout [UInt8]
  ) throws {
    var repaired: [Extra] = []
    for step in steps.steps { try append(step, row, parents, &record, &repaired) }
    for (place, list) in steps.lists.enumerated() where place < lists.count {
      for id in lists[place] { record.append(list.field, bytes: id.span) }
    }
    try appendFields(steps.extraSlot, row, &record, &repaired)
    if !steps.unknownColumns.isEmpty { repaired += unknownValues(of: row) }
    for extra in repaired {
      let entry: [UInt8] = try extra.serializedBytes()
      record.append(RecordSteps.extraField, bytes: entry.span)
    }
  }

  @inline(__always)
  private func append(
    _ step: RecordSteps.Step, _ row: borrowing SQLRow, _ parents: ParentIDs, _ record: inout [UInt8],
    _ repaired: inout [Extra]
  ) throws {
    let column = step.slot + 1
    switch step.kind {
    case .bytes(let isOptional):
      row.withBytes(column) { value in
        guard let value, isOptional || !value.isEmpty else { return }
        record.append(step.field, bytes: value)
      }
    case .text(let isOptional):
      row.withBytes(column) { value in
        guard let value, isOptional || !value.isEmpty else { return }
        guard value.isUTF8 else {
          // Readers would refuse the record otherwise. The original bytes are kept with it.
          let bytes = value.copied()
          let text = String(decoding: bytes, as: UTF8.self)
          record.append(step.field, bytes: text.utf8Span.span)
          repaired.append(.holding(bytes, of: steps.names[step.slot]))
          return
        }
        record.append(step.field, bytes: value)
      }
    case .number(let isOptional):
      guard let value = row.integer(column), isOptional || value != 0 else { return }
      record.append(step.field, varint: UInt64(bitPattern: value))
    case .signed:
      guard let value = row.integer(column) else { return }
      record.append(step.field, varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    case .wire: try appendFields(step.slot, row, &record, &repaired)
    case .parent(let parent):
      guard let number = row.integer(column) else {
        return row.withBytes(column + 1) { id in
          if let id, !id.isEmpty { record.append(step.field, bytes: id) }
        }
      }
      let id = try parents.id(of: number, in: parent)
      if !id.isEmpty { record.append(step.field, bytes: id.span) }
    }
  }

  /// Appends a column's encoded fields.
  ///
  /// Invalid ones are kept as bytes, because readers would refuse the record.
  private func appendFields(
    _ slot: Int, _ row: borrowing SQLRow, _ record: inout [UInt8], _ repaired: inout [Extra]
  ) throws {
    try row.withBytes(slot + 1) { fields in
      guard let fields, !fields.isEmpty else { return }
      guard try !isWritable(fields) else { return record.append(span: fields) }
      var rest: [UInt8] = []
      for field in Self.fields(in: fields) {
        let bytes = fields.extracting(field)
        if try isWritable(bytes) { record.append(span: bytes) } else { rest.append(span: bytes) }
      }
      repaired.append(.holding(rest.isEmpty ? fields.copied() : rest, of: steps.names[slot]))
    }
  }

  /// Whether readers accept the fields, including nested messages.
  private func isWritable(_ fields: Span<UInt8>) throws -> Bool {
    if check.isStrict(fields) { return true }
    guard (try? WireReader.walk(fields)) != nil else { return false }
    return try check.accepts(fields)
  }

  /// Returns the ranges of the fields; empty if the bytes are not entirely fields.
  private static func fields(in bytes: Span<UInt8>) -> [Range<Int>] {
    var reader = WireReader()
    var fields: [Range<Int>] = []
    do {
      while let field = try reader.next(in: bytes) { fields.append(field.range) }
      return fields
    } catch {
      return []
    }
  }

  private func unknownValues(of row: borrowing SQLRow) -> [Extra] {
    var values: [Extra] = []
    for (place, name) in steps.unknownColumns.enumerated() {
      let column = steps.extraSlot + 2 + place
      var extra = Extra()
      extra.name = name
      switch row.kind(column) {
      case .null: continue
      case .integer: extra.integer = row.integer(column) ?? 0
      case .real: extra.real = row.real(column)
      case .text:
        extra.text = row.withBytes(column) { String(decoding: $0?.copied() ?? [], as: UTF8.self) }
      case .blob: extra.blob = row.withBytes(column) { Data($0?.copied() ?? []) }
      }
      values.append(extra)
    }
    return values
  }
}

extension Extra {
  fileprivate static func holding(_ value: [UInt8], of column: String) -> Extra {
    var extra = Extra()
    extra.name = column
    extra.blob = Data(value)
    return extra
  }
}
