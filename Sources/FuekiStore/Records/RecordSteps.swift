internal import FuekiWallet

/// What a table's columns are to its records: one list of steps, which reading and writing follow alike.
///
/// A value's slot is its place among the columns that a query gives behind `row_id`, and among the parameters of the
/// statement that inserts: one for every column, two for a parent (its row, and the id of one that is not in the
/// store), then `extra`, then the columns that this version does not know. Of a receipt its transaction's id comes last
/// of all: it is no column, and decides the row.
struct RecordSteps: Sendable {
  /// One value, and the field that it is.
  struct Step: Sendable {
    enum Kind: Sendable {
      case bytes(isOptional: Bool)
      case text(isOptional: Bool)
      case number(isOptional: Bool)
      case signed
      /// Fields as they are on the wire.
      case wire
      case parent(StoreTable.Name)
    }

    let kind: Kind
    /// The field, or the lowest of those on the wire.
    let field: UInt32
    let slot: Int
  }

  /// Where a field of a record goes.
  enum Target: Sendable {
    case step(Step)
    /// One of the table's lists, by its place among them.
    case list(Int)
    /// An entry of field 15: of a column that this version does not know, or of none.
    case tail
  }

  /// The field that every record has for what its table has no column for.
  static let extraField: UInt32 = 15

  let table: StoreTable
  /// In ascending order of fields.
  let steps: [Step]
  /// The column of each slot.
  let names: [String]
  let extraSlot: Int
  let unknownColumns: [String]
  /// Of receipts alone.
  let transactionSlot: Int?
  let lists: [(field: UInt32, list: StoreList)]
  private let targets: [Target?]

  /// How many values a statement inserts.
  var columnCount: Int { names.count }
  /// How many values a record is taken apart into.
  var width: Int { names.count + (transactionSlot == nil ? 0 : 1) }

  /// Prepares for a table and the columns that its schema does not have, which are in `extra`.
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

  /// Where a field goes; nil for one that the table does not know.
  func target(of field: UInt32) -> Target? {
    field < targets.count ? targets[Int(field)] : nil
  }

  /// The slot of a column.
  func slot(of column: String) -> Int? { names.firstIndex(of: column) }

  /// The query for rows; the first column is `row_id`, the others are the slots.
  func selection(_ rest: String) -> String {
    let name = table.name.rawValue
    var columns = names.map { "\(name).\(SQLName.quoted($0))" }
    var joins = ""
    if transactionSlot != nil {
      columns.append("transactions.id")
      joins = " LEFT JOIN transactions ON transactions.row_id = receipts.row_id"
    }
    return "SELECT \(name).row_id, \(columns.joined(separator: ", ")) FROM \(name)\(joins) \(rest)"
  }
}

extension Receipt {
  /// The number of the field that names the transaction.
  fileprivate static let transactionField: UInt32 = 2
}
