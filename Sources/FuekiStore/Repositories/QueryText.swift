internal import FoundationEssentials
internal import FuekiWallet
internal import GRDB

/// A query in SQL, for one table.
struct QueryText {
  let table: StoreTable
  /// The values of the parameters, which are numbered from 1.
  private(set) var arguments: [DatabaseValue] = []
  private var conditions: [String] = []
  /// What keeps SQLite from ordering by an index, and so from passing over that of a word's few records.
  private let plus: String
  private let order: (column: String, isDescending: Bool)?
  private let isReversed: Bool

  init<Record: SectionRecord>(_ query: Query<Record>, in table: StoreTable) {
    self.table = table
    order = Self.ordering(of: query, in: table).flatMap { field in
      field.column.map { ($0, (field.lookUp == .time) != query.isReversed) }
    }
    isReversed = query.isReversed
    plus = query.conditions.contains { $0.alternatives.contains { $0.value == .word } } ? "+" : ""
    for condition in query.conditions { conditions.append(text(of: condition)) }
  }

  /// Returns the field that orders a query's records.
  private static func ordering<Record: SectionRecord>(of query: Query<Record>, in table: StoreTable)
    -> RecordField?
  {
    let named = Set(query.conditions.flatMap { $0.alternatives.map(\.field) })
    guard !named.isEmpty else { return nil }
    return table.kind.fields.first { $0.lookUp == .limit && named.contains($0.name) }
      ?? table.kind.fields.first { $0.lookUp == .time || $0.lookUp == .position }
  }

  /// The condition for all of the query's records, after `WHERE`.
  var condition: String { conditions.isEmpty ? "1" : conditions.joined(separator: " AND ") }

  private var name: String { table.name.rawValue }

  private mutating func text(of condition: QueryCondition) -> String {
    let texts = condition.alternatives.map { text(of: $0) }
    guard texts.count > 1 else { return texts.first ?? "1" }
    let rows = texts.map { "SELECT row_id FROM \(name) WHERE \($0)" }
    return "\(name).row_id IN (\(rows.joined(separator: " UNION ALL ")))"
  }

  private mutating func text(of lookUp: QueryCondition.LookUp) -> String {
    // No record has a field that its kind lacks.
    guard let field = table.kind.fields.first(where: { $0.name == lookUp.field }) else { return "0" }
    switch (field.place, field.lookUp) {
    case (.parent(let section, let parent), _):
      let value = parameter(lookUp.value)
      return
        "\(name).\(parent)_row = (SELECT row_id FROM \(StoreTable.Name(section).rawValue) WHERE id = \(value))"
    case (.rowOf(let section), _) where table.rowParent != nil:
      let row = StoreIndex.row(ofID: parameter(lookUp.value), in: StoreTable.Name(section))
      return "\(name).row_id IN (\(row))"
    case (.list(let list, let owner, let element), _):
      return
        "\(name).row_id IN (SELECT \(owner)_row FROM \(list) WHERE \(element)_id = \(parameter(lookUp.value)))"
    case (_, .word(let word)):
      // A partial index needs the word itself, which is the program's own.
      return "\(name).\(field.name) = '\(word)'"
    case (_, .limit): return "\(name).\(SQLName.quoted(field.name)) < \(parameter(lookUp.value))"
    default:
      let (column, value) = ("\(name).\(SQLName.quoted(field.name))", parameter(lookUp.value))
      guard table.kind.traits.contains(.abundant) else { return "\(column) = \(value)" }
      return "\(StoreIndex.key(column)) = \(StoreIndex.key(value)) AND \(column) = \(value)"
    }
  }

  private mutating func parameter(_ value: QueryCondition.Value) -> String {
    switch value {
    case .bytes(let bytes): parameter(bytes.databaseValue)
    // As bytes, because a text in SQLite's C interface ends at the first U+0000.
    case .text(let text): "CAST(\(parameter(Data(text.utf8).databaseValue)) AS TEXT)"
    case .below(let number): parameter(number.databaseValue)
    case .word: "NULL"
    }
  }

  private mutating func parameter(_ value: DatabaseValue) -> String {
    arguments.append(value)
    return "?\(arguments.count)"
  }
}

/// Consecutive records of a query that one index returns in order.
struct QueryStretch {
  /// The end of the query, from `WHERE`.
  let rest: String
  let arguments: [DatabaseValue]
  /// The column of the records' order; nil for that of their rows.
  let column: String?
}

extension QueryText {
  /// The number of stretches: the records with a time or position are apart from those without.
  var stretchCount: Int { order == nil ? 1 : 2 }

  /// Returns a stretch of at most `limit` records, from a place on or from its beginning.
  func stretch(_ number: Int, after start: (value: Int64, row: Int64)?, limit: Int) -> QueryStretch {
    var text = self
    let isDescending = order?.isDescending ?? isReversed
    let (sign, direction) = isDescending ? ("<", "DESC") : (">", "ASC")
    let outermost = isDescending ? Int64.max : .min
    let row = "\(plus)\(name).row_id"
    // Newest first, those without a time come last.
    if let order, isDescending == (number == 0) {
      let column = "\(plus)\(name).\(SQLName.quoted(order.column))"
      let (value, last) = start ?? (outermost, outermost)
      let place = "(\(text.parameter(value.databaseValue)), \(text.parameter(last.databaseValue)))"
      text.conditions.append("(\(column), \(row)) \(sign) \(place)")
      return text.end(
        order: "\(column) \(direction), \(row) \(direction)", limit, column: order.column)
    }
    if let order { text.conditions.append("\(plus)\(name).\(SQLName.quoted(order.column)) IS NULL") }
    text.conditions.append("\(row) \(sign) \(text.parameter((start?.row ?? outermost).databaseValue))")
    return text.end(order: "\(row) \(direction)", limit, column: nil)
  }

  private mutating func end(order: String, _ limit: Int, column: String?) -> QueryStretch {
    let count = parameter(Int64(limit).databaseValue)
    return QueryStretch(
      rest: "WHERE \(condition) ORDER BY \(order) LIMIT \(count)", arguments: arguments, column: column)
  }
}
