internal import FuekiWallet

/// Maps a table's columns to a record's fields, for both reading and writing.
///
/// A value's slot is its index among the columns after `row_id` in a query, and among the parameters of the
/// insert statement: one for every column, two for a parent (its row, and the id of a parent missing from the
/// store), then `extra`, then the columns unknown to this version. A receipt's last slot is its transaction's
/// id, which is not a column but determines the row.
struct RecordSteps: Sendable {
  /// A value and its field.
  struct Step: Sendable {
    enum Kind: Sendable {
      case bytes(isOptional: Bool)
      case text(isOptional: Bool)
      case number(isOptional: Bool)
      case signed
      /// Encoded fields.
      case wire
      case parent(StoreTable.Name)
    }

    let kind: Kind
    /// The field, or the lowest of the encoded fields.
    let field: UInt32
    let slot: Int
  }

  /// The destination of a record's field.
  enum Target: Sendable {
    case step(Step)
    /// One of the table's lists, by its index.
    case list(Int)
    /// An entry of field 15, with or without a column unknown to this version.
    case tail
  }

  /// The field of every record for data without a column.
  static let extraField: UInt32 = 15

  let table: StoreTable
  /// In ascending order of fields.
  let steps: [Step]
  /// The column of each slot.
  let names: [String]
  let extraSlot: Int
  let unknownColumns: [String]
  /// Only for receipts.
  let transactionSlot: Int?
  let lists: [(field: UInt32, list: StoreList)]
  private let targets: [Target?]

  /// The number of values in an insert statement.
  var columnCount: Int { names.count }
  /// The number of values of a decoded record.
  var width: Int { names.count + (transactionSlot == nil ? 0 : 1) }

  /// Prepares for a table, and for unknown columns, whose values records carry in `extra`.
  init(_ table: StoreTable, unknownColumns: [String] = []) {
    self.table = table
    self.unknownColumns = unknownColumns
    lists = table.lists
    var names: [String] = []
    var steps: [Step] = []
    var targets: [UInt32: Target] = [Self.extraField: .tail]
    func add(_ kind: Step.Kind, _ fields: [UInt32], _ columns: [String]) {
      let step = Step(kind: kind, field: fields.min() ?? 0, slot: names.count)
      steps.append(step)
      for field in fields { targets[field] = .step(step) }
      names += columns
    }
    for column in table.columns {
      switch column.content {
      case .bytes: add(.bytes(isOptional: false), [column.field], [column.name])
      case .optionalBytes: add(.bytes(isOptional: true), [column.field], [column.name])
      case .text: add(.text(isOptional: false), [column.field], [column.name])
      case .optionalText: add(.text(isOptional: true), [column.field], [column.name])
      case .number: add(.number(isOptional: false), [column.field], [column.name])
      case .optionalNumber: add(.number(isOptional: true), [column.field], [column.name])
      case .optionalSigned: add(.signed, [column.field], [column.name])
      case .wire(let fields): add(.wire, fields, [column.name])
      case .parent(let parent):
        add(.parent(parent), [column.field], ["\(column.name)_row", "\(column.name)_id"])
      case .list: break
      }
    }
    for (place, list) in lists.enumerated() { targets[list.field] = .list(place) }
    extraSlot = names.count
    names += ["extra"] + unknownColumns
    if table.name == .receipts {
      transactionSlot = names.count
      let step = Step(kind: .bytes(isOptional: false), field: Receipt.transactionField, slot: names.count)
      steps.append(step)
      targets[step.field] = .step(step)
    } else {
      transactionSlot = nil
    }
    self.names = names
    self.steps = steps.sorted { $0.field < $1.field }
    self.targets = (0...(targets.keys.max() ?? 0)).map { targets[$0] }
  }

  /// Returns the destination of a field; nil if the table does not know it.
  func target(of field: UInt32) -> Target? {
    field < targets.count ? targets[Int(field)] : nil
  }

  /// Returns the slot of a column.
  func slot(of column: String) -> Int? { names.firstIndex(of: column) }

  /// The columns of a query for rows: `row_id`, then the slots.
  var selectedColumns: [String] {
    let name = table.name.rawValue
    let columns = ["\(name).row_id"] + names.map { "\(name).\(SQLName.quoted($0))" }
    return transactionSlot == nil ? columns : columns + ["transactions.id"]
  }

  /// The tables of that query.
  var selectedTables: String {
    guard transactionSlot != nil else { return "FROM \(table.name.rawValue)" }
    return "FROM receipts LEFT JOIN transactions ON transactions.row_id = receipts.row_id"
  }

  /// Returns the query for rows.
  func selection(_ rest: String) -> String {
    "SELECT \(selectedColumns.joined(separator: ", ")) \(selectedTables) \(rest)"
  }
}

extension Receipt {
  /// The number of the field with the transaction's id.
  fileprivate static let transactionField: UInt32 = 2
}
