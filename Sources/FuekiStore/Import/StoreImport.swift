public import FoundationEssentials
public import FuekiBackup
public import FuekiWallet
internal import GRDB

/// Adds records from elsewhere to a store, all or none, and never in the place of one that differs.
///
/// Open only while ``WalletStore/importRecords(_:)`` runs.
public final class StoreImport {
  /// What an import came to.
  public struct Outcome: Sendable, Equatable {
    /// How many records of each section are new.
    public fileprivate(set) var added: [Section: UInt64] = [:]
    /// How many were there already, byte for byte.
    public fileprivate(set) var equal: [Section: UInt64] = [:]
    /// Records that are there and differ; where there are any, nothing was added.
    public fileprivate(set) var conflicts: [Conflict] = []
  }

  /// A record that is there and differs.
  public struct Conflict: Sendable, Equatable {
    /// The record's section.
    public let section: Section
    /// Its id as text.
    public let id: String
  }

  private let database: Database
  fileprivate private(set) var outcome = Outcome()

  fileprivate init(_ database: Database) { self.database = database }

  /// Adds wallets.
  public func add(_ records: [Wallet]) throws { try add(records, to: .wallets, id: \.id) }
  /// Adds contacts.
  public func add(_ records: [Contact]) throws { try add(records, to: .contacts, id: \.id) }
  /// Adds the public sides of key shares.
  public func add(_ records: [KeyShareDescriptor]) throws { try add(records, to: .keyShareDescriptors, id: \.id) }
  /// Adds transactions, after their wallets.
  public func add(_ records: [Transaction]) throws { try add(records, to: .transactions, id: \.id) }

  /// Adds settings, which are known by their key.
  public func add(_ records: [Setting]) throws {
    let shelf = RecordShelf<Setting>(.settings)
    for record in records {
      let known = try shelf.fetch(record.key.databaseValue, in: database)
      try place(record, .settings, known: known.map { [$0] } ?? [], name: record.key) {
        try shelf.insert([record], in: database)
      }
    }
  }

  /// Adds parts of files, which are known by their file and offset.
  public func add(_ records: [FilePart]) throws {
    let shelf = RecordShelf<FilePart>(.files)
    for record in records {
      let known = try shelf.fetch(
        "WHERE files.id = ? AND files.offset = ?", [record.id, Int64(clamping: record.offset)], in: database)
      try place(record, .files, known: known, name: String(decoding: record.path, as: UTF8.self)) {
        try shelf.insert([record], in: database)
      }
    }
  }

  /// Adds receipts, after their transactions.
  public func add(_ records: [Receipt]) throws {
    let repository = ReceiptShelves()
    let placer = try ReceiptPlacer(in: database)
    for record in records {
      let known = try repository.receipts(of: record.transactionID, in: database).filter { $0.id == record.id }
      try place(record, .receipts, known: known, name: Self.text(record.id)) { try placer.place(record) }
    }
  }

  private func add<Record: SectionRecord & Equatable>(
    _ records: [Record], to table: StoreTable, id: KeyPath<Record, Data>
  ) throws {
    let shelf = RecordShelf<Record>(table)
    for record in records {
      let known = try shelf.fetch(record[keyPath: id].databaseValue, in: database)
      try place(record, Record.section, known: known.map { [$0] } ?? [], name: Self.text(record[keyPath: id])) {
        try shelf.insert([record], in: database)
      }
    }
  }

  private func place<Record: Equatable>(
    _ record: Record, _ section: Section, known: [Record], name: String, insert: () throws -> Void
  ) throws {
    if known.contains(record) {
      outcome.equal[section, default: 0] += 1
    } else if known.isEmpty {
      try insert()
      outcome.added[section, default: 0] += 1
    } else {
      outcome.conflicts.append(Conflict(section: section, id: name))
    }
  }

  private static func text(_ id: Data) -> String { PackedText.text(id) ?? "an id of \(id.count) bytes" }
}

extension WalletStore {
  /// Adds records in one transaction, which is undone where one is there already and differs.
  ///
  /// - Returns: what was added, what was there, and what stood in the way.
  public func importRecords(_ body: (StoreImport) throws -> Void) throws -> StoreImport.Outcome {
    struct Undone: Error { let outcome: StoreImport.Outcome }
    do {
      return try write { database in
        let running = StoreImport(database)
        try body(running)
        guard running.outcome.conflicts.isEmpty else { throw Undone(outcome: running.outcome) }
        return running.outcome
      }
    } catch let undone as Undone {
      return undone.outcome
    }
  }
}
