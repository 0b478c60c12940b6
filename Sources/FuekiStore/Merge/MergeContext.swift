internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// The source of merged records.
enum MergeSource {
  /// An archive.
  ///
  /// If an id occurs twice, it did so in the wallet.
  case archive
  /// Other wallets' files.
  ///
  /// Two records with one id are the same item.
  case files
}

/// State that the sections of a merge share.
final class MergeContext {
  let database: Database
  let policy: ConflictPolicy
  let source: MergeSource
  /// Whether anything is written.
  ///
  /// A dry run only compares.
  let writes: Bool
  let names: MergedNames
  let parents = ParentRows(looksUp: true)
  let marks: MarkedRecords
  /// The differing fields of wallets added under new ids, by those ids.
  var renamedFields: [Data: [String]] = [:]
  private let layout: StoreLayout

  /// Starts on a connection with exclusive use.
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

  /// Returns a table as it is in the store, possibly of an older version in a dry run.
  func table(_ table: StoreTable) -> StoreTable { layout.table(table) }

  /// Returns a table's columns unknown to this version, which are read and written anyway.
  func unknownColumns(_ table: StoreTable.Name) -> [String] { layout.unknownNames(of: table) }
}

/// Marks records that break their chain's rules according to the archive.
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

  /// Announces a problem of a record that is still to come.
  func expect(_ problem: RecordProblem) {
    problems[Key(section: problem.section, id: problem.id), default: []].append(problem)
  }

  /// Marks a written record if the archive marks it.
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
