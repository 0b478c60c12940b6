internal import FuekiWallet

/// A table whose rows are records of one section.
struct StoreTable: Sendable {
  /// The tables by their names in the database.
  enum Name: String, CaseIterable, Sendable {
    case wallets, assets, contacts, settings, keyShareDescriptors = "key_share_descriptors"
    case credentials, files, transactions, receipts, unclaimedReceipts = "unclaimed_receipts"
    case credentialSharing = "credential_sharing", idTokenSharing = "id_token_sharing"
    case users, threads, messages
  }

  let name: Name
  let section: Section
  /// The columns but `row_id` and `extra`, which every table has.
  let columns: [StoreColumn]

  init(_ name: Name, _ section: Section, _ columns: [StoreColumn]) {
    self.name = name
    self.section = section
    self.columns = columns
  }

  /// All columns of the database's table, `row_id` first and `extra` last.
  var declaredColumns: [(name: String, type: String)] {
    [("row_id", "INTEGER")] + columns.flatMap(\.declarations) + [("extra", "BLOB")]
  }

  /// The column that tells one record from another: `id`, or a setting's `key`.
  var identity: String { name == .settings ? "key" : "id" }

  /// The lists that the table's records own.
  var lists: [(field: UInt32, list: StoreList)] {
    columns.compactMap { column in
      guard case .list(let list) = column.content else { return nil }
      return (column.field, list)
    }
  }

  /// The parents that the table's records refer to.
  var parents: [(column: String, parent: Name)] {
    columns.compactMap { column in
      guard case .parent(let parent) = column.content else { return nil }
      return (column.name, parent)
    }
  }

  /// The table that a section's records go to.
  static func of(_ section: Section) -> StoreTable? { all.first { $0.section == section } }

  /// The table of a name.
  static func named(_ name: Name) -> StoreTable { byName[name] ?? wallets }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
