internal import FuekiWallet

/// A table whose rows are records of one section.
struct StoreTable: Sendable {
  /// A table's name in the database.
  struct Name: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    /// Nil for a table unknown to this version.
    init?(rawValue: String) {
      guard RecordKind.all.contains(where: { $0.tables.contains(rawValue) }) else { return nil }
      self.rawValue = rawValue
    }

    init(_ name: String) { rawValue = name }

    /// Creates the name of the table for a section's records.
    init(_ section: Section) { rawValue = section.kind.tables.first ?? "" }

    static let wallets = Name(.wallets)
    static let keyShareDescriptors = Name(.keyShareDescriptors)
    static let transactions = Name(.transactions)
    static let receipts = Name(.receipts)
    static let unclaimedReceipts = Name("unclaimed_receipts")
    static let users = Name(.users)
    static let threads = Name(.threads)
  }

  let name: Name
  /// The kind of the records.
  let kind: RecordKind
  /// The records' type.
  let recordType: any SectionRecord.Type
  /// The columns except `row_id` and `extra`, which every table has.
  let columns: [StoreColumn]

  init(_ name: Name, _ kind: RecordKind, _ recordType: any SectionRecord.Type, _ columns: [StoreColumn]) {
    self.name = name
    self.kind = kind
    self.recordType = recordType
    self.columns = columns
  }

  /// The section of the records.
  var section: Section { kind.section }

  /// The table whose rows the records share; nil if they have their own.
  var rowParent: Name? { name.rawValue == kind.tables.first ? kind.rowParent.map(Name.init) : nil }

  /// All columns of the database table, `row_id` first and `extra` last.
  var declaredColumns: [(name: String, type: String)] {
    [("row_id", "INTEGER")] + columns.flatMap(\.declarations) + [("extra", "BLOB")]
  }

  /// The column that identifies a record: `id`, or a setting's `key`.
  var identity: String { kind.idField?.name ?? "id" }

  /// Whether the identity is text rather than bytes.
  var hasTextIdentity: Bool {
    if case .text = kind.idField?.value { true } else { false }
  }

  /// The lists of the table's records.
  var lists: [(field: UInt32, list: StoreList)] {
    columns.compactMap { column in
      guard case .list(let list) = column.content else { return nil }
      return (column.field, list)
    }
  }

  /// The parents of the table's records.
  var parents: [(column: String, parent: Name)] {
    columns.compactMap { column in
      guard case .parent(let parent) = column.content else { return nil }
      return (column.name, parent)
    }
  }

  /// Returns the table without some columns, as in a store of an older version.
  func without(_ names: Set<String>) -> StoreTable {
    StoreTable(name, kind, recordType, columns.filter { !names.contains($0.name) })
  }

  /// Re-encodes a record as SwiftProtobuf writes it.
  func respell(_ message: [UInt8]) throws -> [UInt8] { try kind.respelled(message) }

  /// Returns the table for a section's records.
  static func of(_ section: Section) -> StoreTable? { all.first { $0.section == section } }

  /// Returns the table for a type's records.
  static func of(_ type: any SectionRecord.Type) -> StoreTable { named(Name(type.section)) }

  /// Returns the table with a name.
  static func named(_ name: Name) -> StoreTable { byName[name] ?? wallets }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
