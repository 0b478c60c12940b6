internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Writes a table's rows as records: what a backup reads and what repositories return.
///
/// Texts are read as bytes: SQLite's C strings would end at the first U+0000, and a `String` for each would cost
/// more than the rest.
struct RowEncoder: Sendable {
  private struct Step: Sendable {
    enum Source: Sendable {
      case bytes(isOptional: Bool)
      case text(isOptional: Bool)
      case number(isOptional: Bool)
      case signed
      case wire
      /// The parent's row, and behind it the id of one that is not in the store.
      case parent(StoreTable.Name)
    }

    let source: Source
    let index: Int
    let field: UInt32
    let column: String
  }

  let table: StoreTable
  private let check: RecordCheck
  private let steps: [Step]
  private let extraIndex: Int
  private let unknownColumns: [String]
  private let selection: String
  private let lists: [(field: UInt32, list: StoreList)]

  /// Prepares for a table and the columns that its schema does not have, which go to `extra`.
  init(_ table: StoreTable, unknownColumns: [String] = []) {
    self.table = table
    check = RecordCheck(table.section)
    self.unknownColumns = unknownColumns
    lists = table.lists
    let name = table.name.rawValue
    var expressions = ["\(name).row_id"]
    var joins = ""
    var steps: [Step] = []
    func step(_ source: Step.Source, _ column: StoreColumn, _ expression: String, field: UInt32) {
      steps.append(Step(source: source, index: expressions.count, field: field, column: column.name))
      expressions.append(expression)
    }
    for column in table.columns {
      let plain = "\(name).\"\(column.name)\""
      switch column.content {
      case .bytes: step(.bytes(isOptional: false), column, plain, field: column.field)
      case .optionalBytes: step(.bytes(isOptional: true), column, plain, field: column.field)
      case .text: step(.text(isOptional: false), column, plain, field: column.field)
      case .optionalText: step(.text(isOptional: true), column, plain, field: column.field)
      case .number: step(.number(isOptional: false), column, plain, field: column.field)
      case .optionalNumber: step(.number(isOptional: true), column, plain, field: column.field)
      case .optionalSigned: step(.signed, column, plain, field: column.field)
      case .wire(let fields): step(.wire, column, plain, field: fields.min() ?? 0)
      case .parent(let parent):
        step(.parent(parent), column, "\(name).\(column.name)_row", field: column.field)
        expressions.append("\(name).\(column.name)_id")
      case .list: break
      }
    }
    if table.name == .receipts {
      joins += " LEFT JOIN transactions ON transactions.row_id = receipts.row_id"
      step(
        .bytes(isOptional: false), StoreColumn("transaction_id", 2, .bytes), "transactions.id", field: 2)
    }
    extraIndex = expressions.count
    expressions.append("\(name).extra")
    expressions += unknownColumns.map { "\(name).\(SQLName.quoted($0))" }
    self.steps = steps.sorted { $0.field < $1.field }
    selection = "SELECT \(expressions.joined(separator: ", ")) FROM \(name)\(joins)"
  }

  /// The query for rows; the first column is `row_id`.
  func sql(_ rest: String) -> String { "\(selection) \(rest)" }

  /// Appends the fields of a row's record, with the ids of each list that it owns, in the table's order.
  func append(_ row: Row, lists: [[Data]] = [], parents: ParentIDs, to writer: inout WireWriter) throws {
    var repaired: [Extra] = []
    for step in steps {
      if case .parent(let parent) = step.source {
        try appendParent(parent, step, row, parents, &writer)
      } else {
        try append(step, row, &writer, &repaired)
      }
    }
    for (index, list) in self.lists.enumerated() where index < lists.count {
      for id in lists[index] { writer.append(list.field, bytes: id) }
    }
    try appendFields("extra", extraIndex, row, &writer, &repaired)
    for extra in try repaired + unknownValues(of: row) {
      writer.append(15, bytes: try extra.serializedBytes() as [UInt8])
    }
  }

  @inline(__always)
  private func append(
    _ step: Step, _ row: Row, _ writer: inout WireWriter, _ repaired: inout [Extra]
  ) throws {
    switch step.source {
    case .bytes(let isOptional):
      try row.withUnsafeData(atIndex: step.index) { value in
        guard let value, isOptional || !value.isEmpty else { return }
        writer.append(step.field, bytes: value)
      }
    case .text(let isOptional):
      // Short texts, which most are, lie within a `Data`: a copy is cheaper than a view.
      guard let value: Data = row[step.index], isOptional || !value.isEmpty else { return }
      guard (try? UTF8Span(validating: value.span)) != nil else {
        // No reader would take the record otherwise; the bytes as they are go with it.
        writer.append(step.field, text: String(decoding: value, as: UTF8.self))
        repaired.append(Extra.holding(value, of: step.column))
        return
      }
      writer.append(step.field, bytes: value)
    case .number(let isOptional):
      guard let value: Int64 = row[step.index], isOptional || value != 0 else { return }
      writer.append(step.field, varint: UInt64(bitPattern: value))
    case .signed:
      guard let value: Int64 = row[step.index] else { return }
      writer.append(step.field, zigzag: value)
    case .wire: try appendFields(step.column, step.index, row, &writer, &repaired)
    case .parent: break
    }
  }

  /// Appends a column's encoded fields; what is none goes along as bytes, for no reader would take the record.
  private func appendFields(
    _ column: String, _ index: Int, _ row: Row, _ writer: inout WireWriter, _ repaired: inout [Extra]
  ) throws {
    try row.withUnsafeData(atIndex: index) { fields in
      guard let fields, !fields.isEmpty else { return }
      guard try !isWritable(fields.span) else { return writer.append(raw: fields) }
      var rest: [UInt8] = []
      for field in Self.fields(in: fields.span) {
        let bytes = fields.span.extracting(field)
        if try isWritable(bytes) { writer.append(raw: bytes.copied()) } else { rest += bytes.copied() }
      }
      repaired.append(Extra.holding(rest.isEmpty ? fields : Data(rest), of: column))
    }
  }

  /// Whether some fields are what a reader takes, down to the messages in them.
  private func isWritable(_ fields: Span<UInt8>) throws -> Bool {
    guard (try? WireReader.walk(fields)) != nil else { return false }
    return try check.accepts(fields)
  }

  /// Where the fields are; none where the bytes are not fields all through.
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

  private func appendParent(
    _ parent: StoreTable.Name, _ step: Step, _ row: Row, _ parents: ParentIDs, _ writer: inout WireWriter
  ) throws {
    if let parentRow: Int64 = row[step.index] {
      let id = try parents.id(of: parentRow, in: parent)
      if !id.isEmpty { writer.append(step.field, bytes: id) }
    } else {
      try row.withUnsafeData(atIndex: step.index + 1) { id in
        if let id, !id.isEmpty { writer.append(step.field, bytes: id) }
      }
    }
  }

  private func unknownValues(of row: Row) throws -> [Extra] {
    try unknownColumns.enumerated().compactMap { place, column in
      let index = extraIndex + 1 + place
      var extra = Extra()
      extra.name = column
      switch (row[index] as DatabaseValue).storage {
      case .null: return nil
      case .int64(let value): extra.integer = value
      case .double(let value): extra.real = value
      case .string:
        extra.text = try row.withUnsafeData(atIndex: index) { String(decoding: $0 ?? Data(), as: UTF8.self) }
      case .blob(let value): extra.blob = value
      }
      return extra
    }
  }
}

extension Extra {
  /// A column's bytes; copied, because the row's own are gone with the next row.
  fileprivate static func holding(_ value: Data, of column: String) -> Extra {
    var extra = Extra()
    extra.name = column
    extra.blob = Data([UInt8](value))
    return extra
  }
}
