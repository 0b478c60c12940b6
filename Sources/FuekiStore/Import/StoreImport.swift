public import FuekiBackup
public import FuekiWallet
internal import FoundationEssentials
internal import GRDB
internal import SwiftProtobuf

/// Records of other sources that go into a store, all at once or not at all.
///
/// A record that the store has otherwise is never overwritten unasked.
public struct StoreImport {
  private let store: WalletStore
  private var records: [(table: StoreTable, message: [UInt8])] = []
  private var problems: [RecordProblem] = []

  /// Begins an import into a store.
  public init(into store: WalletStore) { self.store = store }

  /// Adds a record.
  public mutating func add<Record: SectionRecord>(_ record: Record) throws {
    guard let table = StoreTable.of(Record.section) else { return }
    records.append((table, try record.serializedBytes()))
  }

  /// Adds records that are framed already: each with its length before it.
  ///
  /// - Throws: ``FramingError``.
  public mutating func add(framed block: [UInt8], of section: Section) throws {
    guard let table = StoreTable.of(section) else { return }
    var offset = 0
    while let message = try RecordFraming.next(in: block.span, at: &offset) {
      records.append((table, Array(block[message])))
    }
  }

  /// Notes a record that breaks its chain's rules; it is imported all the same, and marked.
  public mutating func note(_ problem: RecordProblem) { problems.append(problem) }

  /// Imports everything in one transaction.
  ///
  /// - Throws: ``StoreError``, or ``BackupError/malformedRecord(section:)``; then nothing is imported.
  public func run(onConflict policy: ImportConflictPolicy = .fail) throws -> ImportReport {
    var report = ImportReport()
    do {
      try store.write { database in
        // Parents first, so that their children find them.
        for (table, message) in records.sorted(by: { $0.table.section < $1.table.section }) {
          try table.importRecord(message, policy, &report, in: database)
        }
        for problem in problems { try RecordMarks.add(problem, in: database) }
        try ParentClaims.settle(in: database)
        if policy == .fail, !report.conflicts.isEmpty { throw Undone() }
      }
    } catch is Undone {
      report.inserted = [:]
      report.isApplied = false
    }
    return report
  }

  /// Ends the transaction without its effect.
  private struct Undone: Error {}
}

extension StoreTable {
  fileprivate func importRecord(
    _ message: [UInt8], _ policy: ImportConflictPolicy, _ report: inout ImportReport, in database: Database
  ) throws {
    try Self.importRecord(of: recordType, self, message, policy, &report, in: database)
  }

  private static func importRecord<Record: SectionRecord>(
    of type: Record.Type, _ table: StoreTable, _ message: [UInt8], _ policy: ImportConflictPolicy,
    _ report: inout ImportReport, in database: Database
  ) throws {
    guard let record = try? Record(serializedBytes: message) else {
      throw BackupError.malformedRecord(section: table.section.name)
    }
    let shelf = RecordShelf<Record>(table)
    let known = try shelf.namesakes(of: record, in: database)
    guard !known.contains(where: { $0.isEqualTo(message: record) }) else {
      report.unchanged[table.section, default: 0] += 1
      return
    }
    guard known.isEmpty else {
      report.conflicts.append(ImportConflict(section: table.section, id: try shelf.identity(of: record)))
      guard policy == .replace else { return }
      report.replaced[table.section, default: 0] += 1
      return try shelf.replace(with: record, in: database)
    }
    report.inserted[table.section, default: 0] += 1
    try shelf.insertAnywhere(record, in: database)
  }
}
