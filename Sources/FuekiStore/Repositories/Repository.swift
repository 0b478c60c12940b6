public import FuekiWallet
internal import GRDB

/// The records of one kind in a store.
///
/// Each call reads or writes in one transaction of its own, and blocks until it is done: an app calls it off its main
/// thread. All calls throw ``StoreError``.
public struct Repository<Record: SectionRecord>: Sendable {
  let store: WalletStore
  private let shelves = RecordShelves<Record>()

  init(_ store: WalletStore) { self.store = store }

  /// Returns the record with an id: the first part of a file, a transaction's receipt, a setting by its key.
  public func find(_ id: RecordID) throws -> Record? { try fetch(.one(id), limit: 1).first }

  /// Returns a query's records, at most `limit` from 0.
  public func fetch(_ query: Query<Record> = .all, limit: Int = .max) throws -> [Record] {
    try store.read { try shelves.page(query, limit: max(limit, 0), after: nil, in: $0).records }
  }

  /// Returns the next of a query's records.
  ///
  /// - Parameters:
  ///   - query: the same for all pages.
  ///   - cursor: where the page before ended; nil for the first page.
  ///   - limit: the number of records, at least 1.
  /// - Returns: the records, and where the page after them begins.
  /// - Throws: ``StoreError``.
  public func page(
    _ query: Query<Record> = .all, after cursor: PageCursor? = nil, limit: Int = 50
  ) throws -> Page<Record> {
    try store.read { try shelves.page(query, limit: max(limit, 1), after: cursor, in: $0) }
  }

  /// Returns the number of a query's records.
  public func count(_ query: Query<Record> = .all) throws -> Int {
    try store.read { try shelves.count(query, in: $0) }
  }

  /// Returns the records that have a text in a searched field, such as a name, a title or a message's text.
  ///
  /// Case and Latin accents do not matter. Every record of the kind is looked at.
  ///
  /// - Parameters:
  ///   - text: what to look for.
  ///   - limit: the most records, from 0.
  /// - Returns: the newest first, those without a time in the order of their addition, the last one first.
  /// - Throws: ``StoreError``.
  public func search(_ text: String, limit: Int = 50) throws -> [Record] {
    let text = SearchedText(text)
    return try store.read { try shelves.search(text, limit: limit, in: $0) }
  }

  /// Adds a record, or replaces the one with its id.
  ///
  /// Records that belong to it and arrived earlier are joined to it.
  ///
  /// - Throws: ``StoreError/invalid(table:problems:)`` if it breaks a rule of its kind.
  public func save(_ record: Record) throws { try save(contentsOf: [record]) }

  /// Adds or replaces many records, all or none.
  ///
  /// - Throws: ``StoreError/invalid(table:problems:)`` if one of them breaks a rule of its kind.
  public func save(contentsOf records: [Record]) throws {
    for record in records { try RecordShelves.check(record) }
    try load(records)
  }

  /// Adds or replaces many records as a restore does, which keeps what breaks a rule.
  package func load(_ records: [Record]) throws {
    try store.write { try shelves.save(records, in: $0) }
  }

  /// Changes the record with an id, and returns it.
  ///
  /// Fields and columns that this version does not know stay as they are.
  ///
  /// - Throws: ``StoreError/noRecord(table:)`` if there is none, ``StoreError/invalid(table:problems:)`` if the changed
  ///   record breaks a rule or has another id, or the errors of `change`. Nothing is changed then.
  @discardableResult
  public func update(_ id: RecordID, _ change: (inout Record) throws -> Void) throws -> Record {
    try store.write { try shelves.update(id, in: $0, change) }
  }

  /// Removes the record with an id and everything that belongs to it: all parts of a file, a wallet's assets,
  /// transactions and receipts, a thread's messages.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func delete(_ id: RecordID) throws -> Bool {
    try store.write { try shelves.delete(.one(id), in: $0) }
  }
}
