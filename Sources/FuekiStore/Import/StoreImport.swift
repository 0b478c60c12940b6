public import FuekiBackup
public import FuekiWallet
internal import FoundationEssentials
internal import GRDB
internal import SwiftProtobuf

/// Adds records from elsewhere to a store, all or none, and never unasked in the place of one that differs.
///
/// Open only while ``WalletStore/importRecords(onConflict:_:)`` runs. Records may come in any order.
public final class StoreImport {
  private let database: Database
  private let policy: ImportConflictPolicy
  private let parents = ParentRows(looksUp: true)
  private var inserters: [StoreTable.Name: RecordInserter] = [:]
  private var placer: ReceiptPlacer?
  fileprivate private(set) var outcome = Outcome()

  fileprivate init(_ database: Database, _ policy: ImportConflictPolicy) {
    self.database = database
    self.policy = policy
  }

  /// Adds records of one type.
  public func add<Record: SectionRecord>(_ records: [Record]) throws {
    guard let table = StoreTable.of(Record.section) else { return }
    let shelf = RecordShelf<Record>(table)
    for record in records { try add(record, shelf) }
  }

  /// Adds a section's records that are framed already: each with its length before it.
  ///
  /// - Throws: ``FramingError``, or ``BackupError/malformedRecord(section:)``.
  public func add(framed block: [UInt8], of section: Section) throws {
    guard let table = StoreTable.of(section) else { return }
    var offset = 0
    while let message = try RecordFraming.next(in: block.span, at: &offset) {
      try add(Array(block[message]), as: table.recordType)
    }
  }

  /// Marks a record that breaks its chain's rules; it is imported all the same.
  public func note(_ problem: RecordProblem) throws { try RecordMarks.add(problem, in: database) }

  private func add<Record: SectionRecord>(_ message: [UInt8], as type: Record.Type) throws {
    guard let record = try? Record(serializedBytes: message) else {
      throw BackupError.malformedRecord(section: Record.section.name)
    }
    try add([record])
  }

  private func add<Record: SectionRecord>(_ record: Record, _ shelf: RecordShelf<Record>) throws {
    let known = try shelf.namesakes(of: record, in: database)
    guard !known.contains(where: { $0.isEqualTo(message: record) }) else {
      outcome.equal[Record.section, default: 0] += 1
      return
    }
    guard known.isEmpty else {
      outcome.conflicts.append(Conflict(section: Record.section, id: try shelf.name(of: record)))
      guard policy == .replace else { return }
      outcome.replaced[Record.section, default: 0] += 1
      return try shelf.replace(with: record, in: database)
    }
    outcome.added[Record.section, default: 0] += 1
    try insert(record, shelf)
  }

  private func insert<Record: SectionRecord>(_ record: Record, _ shelf: RecordShelf<Record>) throws {
    if let receipt = record as? Receipt {
      let placer = try self.placer ?? ReceiptPlacer(in: database)
      self.placer = placer
      try placer.place(receipt)
      return
    }
    let name = shelf.table.name
    let inserter = try inserters[name] ?? RecordInserter(shelf.table, parents: parents, in: database)
    inserters[name] = inserter
    try inserter.insert(try shelf.decode([record]))
  }
}

extension WalletStore {
  /// Adds records in one transaction, which is undone where the policy says so or the closure throws.
  ///
  /// - Returns: what was added, what was there, and what stood in the way.
  public func importRecords(
    onConflict policy: ImportConflictPolicy = .fail, _ body: (StoreImport) throws -> Void
  ) throws -> StoreImport.Outcome {
    struct Undone: Error { var outcome: StoreImport.Outcome }
    do {
      return try write { database in
        let running = StoreImport(database, policy)
        try body(running)
        guard policy != .fail || running.outcome.conflicts.isEmpty else {
          throw Undone(outcome: running.outcome)
        }
        try ParentClaims.settle(in: database)
        return running.outcome
      }
    } catch var undone as Undone {
      undone.outcome.added = [:]
      return undone.outcome
    }
  }
}
