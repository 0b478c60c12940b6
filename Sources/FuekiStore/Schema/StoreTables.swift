internal import FuekiWallet

/// The tables of the store, derived column by column from the kinds of records.
///
/// Encoding, decoding, the schema and the importer all follow them. Any other column is unknown.
extension StoreTable {
  static let all = RecordKind.all.flatMap(tables)

  static let wallets = table("wallets")
  static let assets = table("assets")
  static let contacts = table("contacts")
  static let keyShareDescriptors = table("key_share_descriptors")
  static let transactions = table("transactions")
  /// Receipts of stored transactions, each with its transaction's `row_id`.
  static let receipts = table("receipts")
  /// Receipts without a stored transaction, or second receipts of one.
  static let unclaimedReceipts = table("unclaimed_receipts")

  private static func table(_ name: String) -> StoreTable {
    guard let table = all.first(where: { $0.name.rawValue == name }) else {
      preconditionFailure("the store has a table \(name)")
    }
    return table
  }

  /// Returns a kind's tables.
  ///
  /// Records that share their parents' rows have a second one for missing parents.
  static func tables(of kind: RecordKind) -> [StoreTable] {
    guard let type = kind.recordType else { return [] }
    return kind.tables.enumerated().map { number, name in
      StoreTable(Name(name), kind, type, StoreColumn.columns(of: kind, withParentsID: number > 0))
    }
  }
}

extension StoreColumn {
  /// Returns a kind's columns: parents first, then the others by field number.
  ///
  /// Large columns come last, so that SQLite need not read through them for others.
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
  /// Returns the encoding of a field in its own column; nil if fields are stored encoded.
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
    // No kind has such a field. If one does, it is stored encoded.
    case (.zigzag, .always), (.time, .always): return nil
    }
  }
}
