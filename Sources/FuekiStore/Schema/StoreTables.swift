internal import FuekiWallet

/// The tables that the store keeps records in: each kind's, column by column.
///
/// Encoding, decoding, the schema and the importer all follow them; a column that is not here is unknown.
extension StoreTable {
  static let all = RecordKind.all.flatMap(tables)

  static let wallets = table("wallets")
  static let assets = table("assets")
  static let contacts = table("contacts")
  static let keyShareDescriptors = table("key_share_descriptors")
  static let transactions = table("transactions")
  /// Receipts of transactions that are in the store, each with its transaction's `row_id`.
  static let receipts = table("receipts")
  /// Receipts that no transaction in the store has, or that one has beside another.
  static let unclaimedReceipts = table("unclaimed_receipts")

  private static func table(_ name: String) -> StoreTable {
    guard let table = all.first(where: { $0.name.rawValue == name }) else {
      preconditionFailure("the store has a table \(name)")
    }
    return table
  }

  /// The tables of a kind: what has its parent's row has a second one, for records whose parent is not there.
  static func tables(of kind: RecordKind) -> [StoreTable] {
    guard let type = kind.recordType else { return [] }
    return kind.tables.enumerated().map { number, name in
      StoreTable(Name(name), kind, type, StoreColumn.columns(of: kind, withParentsID: number > 0))
    }
  }
}

extension StoreColumn {
  /// A kind's columns: parents first, then the others by their fields' numbers, and last what may be large, so that
  /// SQLite need not go through it for what is behind.
  static func columns(of kind: RecordKind, withParentsID: Bool) -> [StoreColumn] {
    var parents: [StoreColumn] = []
    var plain: [StoreColumn] = []
    var large: [StoreColumn] = []
    var together: [String] = []
    for field in kind.fields {
      switch field.place {
      case .parent(let section, let name):
        parents.append(StoreColumn(name, field.number, .parent(StoreTable.Name(section))))
      case .rowOf:
        if withParentsID { parents.append(StoreColumn(field.name, field.number, .bytes)) }
      case .list(let table, let owner, let element):
        let list = StoreList(table: table, owner: owner, element: element)
        plain.append(StoreColumn(field.name, field.number, .list(list)))
      case .column(let name):
        let fields = kind.fields.filter { if case .column(name) = $0.place { true } else { false } }
        if let content = fields.count == 1 ? Content(field) : nil {
          let column = StoreColumn(name, field.number, content)
          if case .omitted = field.value { large.append(column) } else { plain.append(column) }
        } else if !together.contains(name) {
          together.append(name)
          large.append(StoreColumn(name, 0, .wire(fields.map(\.number))))
        }
      }
    }
    return parents + plain + large
  }
}

extension StoreColumn.Content {
  /// How a column stands for a field that has it for itself; nil of what lies there as it is on the wire.
  fileprivate init?(_ field: RecordField) {
    switch (field.value, field.presence) {
    case (_, .list), (_, .choice), (.message, _), (.real, _): return nil
    case (.text, .always): self = .text
    case (.text, .optional): self = .optionalText
    case (.packed, .always), (.bytes, .always), (.fileName, .always), (.omitted, .always): self = .bytes
    case (.packed, .optional), (.bytes, .optional), (.fileName, .optional), (.omitted, .optional):
      self = .optionalBytes
    case (.boolean, .always), (.unsigned32, .always), (.unsigned64, .always), (.signed32, .always):
      self = .number
    case (.boolean, .optional), (.unsigned32, .optional), (.unsigned64, .optional), (.signed32, .optional):
      self = .optionalNumber
    case (.zigzag, .optional), (.time, .optional): self = .optionalSigned
    // No kind has one; as it is on the wire it is kept all the same.
    case (.zigzag, .always), (.time, .always): return nil
    }
  }
}
