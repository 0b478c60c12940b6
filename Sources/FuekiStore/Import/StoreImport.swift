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
  private var outcome = Outcome()

  private init(_ database: Database, _ policy: ImportConflictPolicy) {
    self.database = database
    self.policy = policy
  }

  /// Lets the closure add its records, and says what that came to so far.
  static func run(
    in database: Database, _ policy: ImportConflictPolicy, _ body: (StoreImport) throws -> Void
  ) throws -> Outcome {
    let running = StoreImport(database, policy)
    try body(running)
    return running.outcome
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
  /// Adds records in one transaction, which is undone where the policy says so or a closure throws.
  ///
  /// - Parameters:
  ///   - policy: what is done with records that are there and differ.
  ///   - body: adds the records.
  ///   - beforeCommit: runs once all is in and nothing stands in the way, but not yet for good: what has to be on the
  ///     device before the records are, such as their secrets, is written there.
  /// - Returns: what was added, what was there, and what stood in the way.
  /// - Throws: what a closure throws, or ``StoreError``; nothing is added then.
  public func importRecords(
    onConflict policy: ImportConflictPolicy = .fail, _ body: (StoreImport) throws -> Void,
    beforeCommit: () throws -> Void = {}
  ) throws -> StoreImport.Outcome {
    do {
      return try write { database in
        let outcome = try StoreImport.run(in: database, policy, body)
        guard policy != .fail || outcome.conflicts.isEmpty else { throw Undone(outcome: outcome) }
        try ParentClaims.settle(in: database)
        try beforeCommit()
        return outcome
      }
    } catch var undone as Undone {
      undone.outcome.added = [:]
      return undone.outcome
    }
  }

  /// Finds out what an import would come to, in a transaction that is undone.
  func planImport(
    onConflict policy: ImportConflictPolicy, _ body: (StoreImport) throws -> Void
  ) throws -> StoreImport.Outcome {
    do {
      return try write { database in throw Undone(outcome: try StoreImport.run(in: database, policy, body)) }
    } catch let undone as Undone {
      return undone.outcome
    }
  }

  private struct Undone: Error { var outcome: StoreImport.Outcome }
}
