internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// What a merge takes its records from.
enum MergeSource {
  /// An archive: where it has an id twice, so had the wallet.
  case archive
  /// Other wallets' files: two records of one id are the same thing.
  case files
}

/// What the sections of one merge share.
final class MergeContext {
  let database: Database
  let policy: ConflictPolicy
  let source: MergeSource
  /// Whether anything is written: a plan only compares.
  let writes: Bool
  let names: MergedNames
  let parents = ParentRows(looksUp: true)
  let marks: MarkedRecords
  /// What wallets that are added beside others have otherwise, by their new ids.
  var renamedFields: [Data: [String]] = [:]
  private let layout: StoreLayout

  /// Begins on a connection that nobody else uses.
  init(
    in database: Database, path: String, policy: ConflictPolicy, source: MergeSource = .archive,
    writes: Bool, manifest: Manifest
  ) throws {
    self.database = database
    self.policy = policy
    self.source = source
    self.writes = writes
    if writes {
      for column in manifest.unknownColumns { try StoreLoader.add(column, to: database) }
    }
    layout = try StoreLayout(of: database, path: path)
    names = try MergedNames(in: database, isKept: writes && source == .archive)
    marks = MarkedRecords(manifest, in: writes ? database : nil)
  }

  /// A table as it is in the store, which may be of an older version where nothing is written.
  func table(_ table: StoreTable) -> StoreTable { layout.table(table) }

  /// The columns of a table that this version does not know, as they are read and written.
  func unknownColumns(_ table: StoreTable.Name) -> [String] { layout.unknownNames(of: table) }
}

/// The records that the archive says break their chain's rules: they are marked as they come.
final class MarkedRecords {
  private struct Key: Hashable {
    let section: UInt32
    let id: Data
  }

  private var problems: [Key: [RecordProblem]] = [:]
  private let database: Database?

  init(_ manifest: Manifest, in database: Database?) {
    self.database = database
    for problem in manifest.problems { expect(problem) }
  }

  /// Takes down what is wrong with a record that is still to come.
  func expect(_ problem: RecordProblem) {
    problems[Key(section: problem.section, id: problem.id), default: []].append(problem)
  }

  /// Marks a record that was written, where the archive has it marked.
  func settle<Record: SectionRecord>(_ record: Record) throws {
    guard let database, !problems.isEmpty else { return }
    let key = Key(section: UInt32(Record.section.rawValue), id: record.id)
    for problem in problems.removeValue(forKey: key) ?? [] {
      let isThere = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM marks WHERE section = ? AND id = ? AND problem = ?)",
        arguments: [Int64(problem.section), problem.id, problem.problem])
      if isThere == false { try RecordMarks.add(problem, in: database) }
    }
  }
}
