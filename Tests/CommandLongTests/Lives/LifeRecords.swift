import CommandSupport
import TestSupport
import Testing

/// The records of a person's own wallet: one text for each record, the same for equal records.
typealias LifeRecords = Set<String>

/// A change that a person makes to the own wallet.
enum LifeRecordChange: CaseIterable {
  case addContact, editContact, removeContact, setSetting, addTransaction, addMessage, removeMessage

  /// The change in SQL; the number makes it different from all others.
  func sql(_ number: Int) -> String {
    let digits = String(number)
    let id = "x'04\(String(repeating: "0", count: max(0, 30 - digits.count)))\(digits)'"
    return switch self {
    case .addContact:
      """
      INSERT INTO contacts (id, name, address, chain_family, chain_id, created_at)
      SELECT \(id), 'contact \(number)', address, chain_family, chain_id, created_at FROM contacts LIMIT 1;
      """
    case .editContact:
      "UPDATE contacts SET notes = 'note \(number)' WHERE row_id = (SELECT min(row_id) FROM contacts);"
    case .removeContact: "DELETE FROM contacts WHERE row_id = (SELECT max(row_id) FROM contacts);"
    case .setSetting: "UPDATE settings SET value = '\"\(number)\"' WHERE key = 'currency';"
    case .addTransaction:
      """
      INSERT INTO transactions
        (wallet_row, id, hash, from_address, to_address, amount, status, timestamp, block_number)
      SELECT wallet_row, \(id), CAST(substr(hash, 1, 17) || substr(\(id), 1, 16) AS BLOB),
        from_address, to_address, '\(number)', status, timestamp, block_number
      FROM transactions ORDER BY row_id LIMIT 1;
      """
    case .addMessage:
      "INSERT INTO messages (thread_row, id, text) SELECT min(row_id), \(id), 'text \(number)' FROM threads;"
    case .removeMessage:
      """
      DELETE FROM message_citations WHERE message_row = (SELECT max(row_id) FROM messages);
      DELETE FROM messages WHERE row_id = (SELECT max(row_id) FROM messages);
      """
    }
  }
}

extension LifeWorld {
  /// So much history that a differential archive is worth it.
  private static let history = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO messages (thread_row, id, text)
    SELECT (SELECT min(row_id) FROM threads), CAST(x'05' || randomblob(16) AS BLOB), hex(randomblob(16000)) FROM n;
    """

  /// Copies a wallet of this program's own to the first machine.
  func copyStore() throws {
    let template = try PreparedMachine.root.get()
    for (from, to) in [("data", "data-1"), ("keychain.pass", "keychain.pass")] {
      let copied = try BuiltBinary.run(program: "/bin/cp", ["-aT", "\(template)/\(from)", scratch.path(to)])
      guard copied.status == 0 else { throw PreparedMachine.Failed(run: copied) }
    }
    try Wallets.edit(scratch, "data-1", Self.history)
    let kept = try BuiltBinary.run(
      program: "/bin/cp", [scratch.path("data-1/wallet.sqlite"), scratch.path(Self.origin)])
    guard kept.status == 0 else { throw PreparedMachine.Failed(run: kept) }
    note(
      "fueki-backup demo --keep $R/demo --transactions 50; mv $R/demo/old-machine/data/fueki $R/data-1; "
        + "mv $R/demo/old-machine.key $R/keychain.pass; # and 60 messages of 32,000 characters")
  }

  /// Changes the records of the person's machine.
  func changeRecords(_ sql: String) throws {
    try Wallets.edit(scratch, "data-\(machine)", sql)
    note("sqlite3 $R/data-\(machine)/wallet.sqlite \"\(sql)\"")
  }

  /// The store as it was at first, whose wallets and settings are the person's own.
  private static let origin = "origin.sqlite"

  /// The records of a machine's own wallet; empty if it has none.
  ///
  /// A restored store also has the wallets and the settings of other sources, which do not count.
  func records(of name: String? = nil) throws -> LifeRecords {
    let store = "data-\(name ?? "\(machine)")/wallet.sqlite"
    guard hasStore, scratch.exists(store) else { return [] }
    let run = try BuiltBinary.run(
      program: Wallets.python, ["-c", Self.listing, scratch.path(store), scratch.path(Self.origin)])
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
    return Set(run.text.split(separator: "\n").map(String.init))
  }

  /// Prints a line for each record, with the ids of its parents in place of their rows.
  private static let listing = """
    import hashlib, sqlite3, sys
    store = sqlite3.connect(sys.argv[1])
    first = sqlite3.connect(sys.argv[2])
    wallets = {id for (id,) in first.execute('SELECT id FROM wallets')}
    settings = {key for (key,) in first.execute('SELECT key FROM settings')}
    parents = {'wallet_row': 'wallets', 'owner_row': 'users', 'thread_row': 'threads', 'message_row': 'messages'}
    ids = {name: dict(store.execute(f'SELECT row_id, id FROM {name}')) for name in parents.values()}
    others = ('meta', 'marks', 'price_cache', 'sessions', 'grdb_migrations', 'files')
    tables = store.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    for (name,) in tables.fetchall():
        if name in others:
            continue
        rows = store.execute(f'SELECT * FROM {name}')
        columns = [column[0] for column in rows.description]
        for row in rows.fetchall():
            fields = [(c, ids[parents[c]].get(v) if c in parents else v) for c, v in zip(columns, row)]
            own = dict(fields)
            wallet = own.get('wallet_row') or (own['id'] if name == 'wallets' else None)
            if wallet and wallet not in wallets or name == 'settings' and own['key'] not in settings:
                continue
            text = repr([field for field in fields if field[0] != 'row_id'])
            print(name, hashlib.sha256(text.encode()).hexdigest()[:16])
    """
}

extension Life {
  /// Changes the own wallet, if the person has one.
  mutating func playRecord(_ change: LifeRecordChange) throws {
    guard world.hasStore else { return }
    version += 1
    try world.changeRecords(change.sql(version))
    isChanged = true
  }
}
