internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet
internal import GRDB

/// Maps the archive's ids to the destination's.
final class MergedNames {
  /// A wallet in the destination.
  struct WalletName {
    let id: Data
    /// Whether it was added under a new id, so that its records need new ids too.
    var isRenamed = false
  }

  /// A transaction in the destination.
  struct TransactionName {
    let id: Data
    /// The wallet, if it was renamed.
    let renamedWallet: Data?
  }

  /// Key shares that exist under another id.
  private(set) var shares: [Data: Data] = [:]
  private var wallets: [Data: WalletName] = [:]
  private var keyOwners: [Data: Data] = [:]
  private var hasTransactions = false
  private let database: Database
  private let schema: String
  private var hasTables = false

  /// The table of transactions' names, of which there may be a million.
  static let table = "restore_transaction_names"
  static let shareTable = "restore_share_names"

  /// Starts with the names of an earlier run if they are kept in the database, else empty.
  init(in database: Database, isKept: Bool) throws {
    self.database = database
    schema = isKept ? "main" : "temp"
    guard isKept else { return }
    try makeTables()
    hasTransactions =
      try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM main.\(Self.table))") ?? false
    for row in try Row.fetchAll(database, sql: "SELECT archive_id, id FROM main.\(Self.shareTable)") {
      shares[row[0]] = row[1]
    }
  }

  // Most merges rename nothing, so tables are created only for the first name.
  private func makeTables() throws {
    guard !hasTables else { return }
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(schema).\(Self.table) (
          archive_id BLOB PRIMARY KEY, id BLOB NOT NULL, renamed_wallet BLOB) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS \(schema).\(Self.shareTable) (
          archive_id BLOB PRIMARY KEY, id BLOB NOT NULL) WITHOUT ROWID;
        """)
    hasTables = true
  }

  /// Discards temporary names.
  func remove() throws {
    guard hasTables else { return }
    for table in [Self.table, Self.shareTable] {
      try database.execute(sql: "DROP TABLE \(schema).\(table)")
    }
    hasTables = false
  }

  /// Records the name of a key share.
  func note(share id: Data, is name: Data) throws {
    shares[id] = name
    try makeTables()
    try database.execute(
      sql: "INSERT OR REPLACE INTO \(schema).\(Self.shareTable) VALUES (?, ?)", arguments: [id, name])
  }

  /// Whether every id equals the archive's.
  var isEmpty: Bool { wallets.isEmpty && shares.isEmpty && !hasTransactions }

  /// Records the name of a wallet, and the owner of its keys.
  func note(wallet id: Data, is name: WalletName, keyOwner: Data) {
    wallets[id] = name
    keyOwners[id] = keyOwner
  }

  func wallet(_ id: Data) -> WalletName { wallets[id] ?? WalletName(id: id) }

  /// Returns the owner of the keys of an archive's wallet: a renamed wallet shares the original's.
  func keyOwner(_ id: Data) -> Data { keyOwners[id] ?? id }

  func note(transaction id: Data, is name: Data, under renamedWallet: Data? = nil) throws {
    guard !id.isEmpty, id != name else { return }
    try makeTables()
    hasTransactions = true
    let statement = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO \(schema).\(Self.table) VALUES (?, ?, ?)")
    try statement.execute(arguments: [id, name, renamedWallet])
  }

  func transaction(_ id: Data) throws -> TransactionName? {
    guard hasTransactions else { return nil }
    let statement = try database.cachedStatement(
      sql: "SELECT id, renamed_wallet FROM \(schema).\(Self.table) WHERE archive_id = ?")
    return try Row.fetchOne(statement, arguments: [id]).map {
      TransactionName(id: $0[0], renamedWallet: $0[1])
    }
  }

  /// Returns the display name of a record added next to one with the same name.
  static func restored(_ name: String) -> String { name.isEmpty ? "(restored)" : "\(name) (restored)" }

  /// Derives a new id, the same whenever the same item is restored again.
  ///
  /// An empty id stays empty.
  static func derived(from id: Data, under other: Data) -> Data {
    guard !id.isEmpty else { return id }
    let digest = SHA256.hash(Array("fueki restored ".utf8), SHA256.hash(other.span).bytes, Array(id))
    let digits = Array(Hex.encode(Array(digest.bytes.prefix(16))))
    // A UUID of version 8, for custom schemes.
    let parts = [
      String(digits[0..<8]), String(digits[8..<12]), "8" + String(digits[13..<16]),
      "a" + String(digits[17..<20]), String(digits[20..<32]),
    ]
    return PackedText.pack(parts.joined(separator: "-"))
  }
}
