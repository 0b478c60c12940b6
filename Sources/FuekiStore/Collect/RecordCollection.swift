internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Collects the store's tables as batches, without the excluded rows.
struct RecordCollection {
  let request: CollectionRequest
  private let snapshots: StoreSnapshots
  private let carried: CarriedCopies?

  init(_ request: CollectionRequest, _ snapshots: StoreSnapshots, comparing carried: CarriedCopies?) {
    self.request = request
    self.snapshots = snapshots
    self.carried = carried
  }

  /// Adds every requested table.
  ///
  /// Descriptors that came with their shares are not added again.
  ///
  /// - Returns: the places of the files, or their paths.
  func add(
    to bundle: inout BackupBundle.Builder, _ report: inout SourceReport, _ stale: inout StaleCopies,
    descriptors: [Data: KeyShareDescriptor]
  ) throws -> [[UInt8]] {
    var names: [[UInt8]] = []
    var copies = StoredCopies(snapshots, bundle.sourced)
    for table in snapshots.layout.tables {
      if table.name == .keyShareDescriptors {
        try addDescriptors(besides: descriptors, to: &bundle, &report)
      } else {
        names += try add(table, leavingOut: try copies.rows(of: table), to: &bundle, &report, &stale)
      }
      try noteUnknownColumns(of: table, in: &bundle)
    }
    try noteProblems(in: &bundle)
    try reportOmissions(&report)
    return names
  }

  private func add(
    _ table: StoreTable, leavingOut copies: Set<Int64>, to bundle: inout BackupBundle.Builder,
    _ report: inout SourceReport, _ stale: inout StaleCopies
  ) throws -> [[UInt8]] {
    let rows = try snapshots.read { try RowRanges(of: table, in: $0) }
    guard rows.count > 0 else { return [] }
    guard request.selection.contains(table.section) else {
      report.exclude(table.section.name, reason: "not asked for", byRequest: true)
      return []
    }
    var names: [[UInt8]] = []
    var (leftOut, ids) = (copies, [Int64: [UInt8]]())
    if table.kind.traits.contains(.inParts) {
      let files = try snapshots.read {
        try StoredFiles(table, in: $0, beside: bundle.sourced, comparing: carried)
      }
      (leftOut, ids, names) = (files.leftOut, files.ids, files.names)
      bundle.note(broken: files.broken, &report)
      stale.formUnion(files.stale)
    }
    guard rows.count > leftOut.count else { return names }
    let batches = TableBatches(
      table, ranges: rows.ranges, leavingOut: leftOut, renaming: ids, from: snapshots)
    bundle.add(table.section) { batches.take() }
    report.include(rows.count - UInt64(leftOut.count), in: table.section)
    return names
  }

  private func addDescriptors(
    besides added: [Data: KeyShareDescriptor], to bundle: inout BackupBundle.Builder,
    _ report: inout SourceReport
  ) throws {
    let section = Section.keyShareDescriptors
    var count: UInt64 = 0
    for descriptor: KeyShareDescriptor in try records(of: .keyShareDescriptors) {
      if let known = added[descriptor.id] {
        guard known != descriptor else { continue }
        bundle.note(
          .init(section, descriptor.id, "the store describes the share otherwise than the keychain"))
      } else if try bundle.sourced.has(shareDescriptor: descriptor.id)
        || bundle.sourced.has(descriptor.serializedBytes(), of: section)
      {
        // Skip: a source provides it itself.
        continue
      } else if request.selection.contains(section) {
        try bundle.add(descriptor)
        note(RecordValidation.problems(of: descriptor), of: descriptor.id, section, in: &bundle)
        count += 1
      }
    }
    for descriptor in added.values.sorted(by: { $0.id.lexicographicallyPrecedes($1.id) }) {
      note(RecordValidation.problems(of: descriptor), of: descriptor.id, section, in: &bundle)
    }
    report.include(count, in: section)
    if !request.selection.contains(section), added.isEmpty {
      report.exclude(section.name, reason: "not asked for", byRequest: true)
    }
  }

  func records<Record: SectionRecord>(of table: StoreTable) throws -> [Record] {
    let table = snapshots.layout.table(table)
    let encoder = RowEncoder(table, unknownColumns: snapshots.layout.unknownNames(of: table.name))
    let shelf = RecordShelf<Record>(table, encoder: encoder)
    return try snapshots.read { try shelf.fetch("ORDER BY \(table.name.rawValue).row_id", [], in: $0) }
  }

  private func noteUnknownColumns(of table: StoreTable, in bundle: inout BackupBundle.Builder) throws {
    for (name, type) in snapshots.layout.unknownColumns[table.name] ?? [] {
      var column = UnknownColumn()
      column.table = table.name.rawValue
      column.column = name
      column.declaredType = type
      bundle.note(column)
    }
  }

  /// Records broken rules of records.
  ///
  /// Transactions are not checked, because that would take as long as collecting them. Marks of a restore or
  /// an import are copied.
  private func noteProblems(in bundle: inout BackupBundle.Builder) throws {
    if request.selection.contains(.wallets) {
      for wallet: Wallet in try records(of: .wallets) {
        note(RecordValidation.problems(of: wallet), of: wallet.id, .wallets, in: &bundle)
      }
    }
    if request.selection.contains(.assets) {
      for asset: Asset in try records(of: .assets) {
        note(RecordValidation.problems(of: asset), of: asset.id, .assets, in: &bundle)
      }
    }
    if request.selection.contains(.contacts) {
      for contact: Contact in try records(of: .contacts) {
        note(RecordValidation.problems(of: contact), of: contact.id, .contacts, in: &bundle)
      }
    }
    for mark in try snapshots.read({ try RecordMarks.all(in: $0) }) {
      let isJudged = [.wallets, .assets, .contacts, .keyShareDescriptors].contains(mark.section)
      guard !isJudged, request.selection.contains(mark.section) else { continue }
      bundle.note(.init(mark.section, mark.id, mark.problem))
    }
  }

  private func note(
    _ sentences: [String], of id: Data, _ section: Section, in bundle: inout BackupBundle.Builder
  ) {
    for sentence in sentences { bundle.note(.init(section, id, sentence)) }
  }

  private func reportOmissions(_ report: inout SourceReport) throws {
    for table in DataClass.allCases.filter({ $0.bundling == .never }).flatMap(\.storeTables) {
      let isEmpty = try snapshots.read {
        try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(table)))") ?? true
      }
      if !isEmpty { report.exclude(table, reason: "data of this kind never leaves", byRequest: true) }
    }
    for table in snapshots.layout.unknownTables {
      report.exclude("table \(table)", reason: "this version does not know it", byRequest: false)
    }
    for (table, column) in snapshots.layout.lostColumns {
      report.exclude("column \(table).\(column)", reason: "this version does not know it", byRequest: false)
    }
  }
}

extension BackupBundle.Builder {
  /// Reports files of which the archive has only incomplete parts, like the store.
  mutating func note(broken files: [BrokenFile], _ report: inout SourceReport) {
    for file in files {
      incompleteFiles.insert(file.id)
      report.exclude(
        String(decoding: file.place, as: UTF8.self),
        reason: "the store does not have the whole file: parts are missing or contradict one another",
        byRequest: false)
    }
  }
}

extension RecordProblem {
  /// Creates a problem: a rule that a record breaks.
  init(_ section: Section, _ id: Data, _ sentence: String) {
    self.init()
    self.section = UInt32(section.rawValue)
    self.id = id
    problem = sentence
  }
}
