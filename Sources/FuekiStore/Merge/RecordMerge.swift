internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// The merge of one section: each record is new, equal to an existing one, or a conflict.
///
/// A record matches an existing one by its id, else by its natural key. Existing records claimed by id are
/// known only after all ids were seen, so matches by natural key are resolved afterwards.
final class RecordMerge<Record: SectionRecord>: SectionMerge {
  private(set) var counts = MergeCounts()
  private(set) var conflicts: [RestoreConflict] = []
  private(set) var namesakes: [Namesake] = []
  /// Created before the first record is added.
  private var contactNames: ContactNames?
  private let standing: PresentRecords<Record>
  private let context: MergeContext
  private let rules: ConflictRules<Record>
  private let writer: RecordWriter<Record>?
  /// Rows claimed by records of the archive, and the rows among them written by this merge.
  private var claimed = ClaimedRows()
  private var made = ClaimedRows()
  private var waits = false
  /// Files kept entirely, and files replaced entirely.
  private var keptFiles: Set<Data> = []
  private var replacedFiles: Set<Data> = []

  init(_ table: StoreTable, _ context: MergeContext) throws {
    self.context = context
    standing = PresentRecords(table, unknownColumns: context.unknownColumns, in: context.database)
    rules = ConflictRules(policy: context.policy, standing: standing)
    writer = context.writes ? try RecordWriter(table, context) : nil
  }

  /// Merges the archive's next encoded record.
  func take(_ message: [UInt8]) throws {
    if try isPlainlyEqual(message) { return }
    guard var record = try? Record(serializedBytes: message) else {
      throw RecordsError.malformedRecord(section: Record.section.name)
    }
    let isRenamedWallet = try adopt(&record)
    let encoded: [UInt8] = try record.serializedBytes()
    let known = try standing.namesakes(of: record)
    if let equal = try equal(to: record, encoded, in: known) { return claim(equal) }
    let isOneThing = context.source == .files
    if let other = known.first(where: { isOneThing || !made.contains($0.row) }), !record.id.isEmpty {
      return try resolve(record, encoded, other)
    }
    if let part = record as? FilePart, keptFiles.contains(part.id) { return counts.differing += 1 }
    if try isWaiting(record, encoded) { return }
    if isRenamedWallet { note(record, try renamedFields(record, encoded), .renamed) }
    try add(record)
  }

  /// Resolves the waiting records after every id was seen.
  func finish() throws {
    guard waits else { return }
    waits = false
    let messages = try Data.fetchCursor(
      context.database, sql: "SELECT message FROM temp.waiting ORDER BY rowid")
    while let message = try messages.next() {
      var record = try Record(serializedBytes: message)
      let free = try standing.counterparts(of: record).first { !claimed.contains($0.row) }
      guard let free else {
        try add(record)
        continue
      }
      let id = try standing.record(free).id
      if !id.isEmpty {
        if record is Transaction { try context.names.note(transaction: record.id, is: id) }
        record.id = id
      }
      let encoded: [UInt8] = try record.serializedBytes()
      if try equal(to: record, encoded, in: [free]) != nil {
        claim(free)
      } else {
        try resolve(record, encoded, free)
      }
    }
    try context.database.execute(sql: "DELETE FROM temp.waiting")
  }

  // MARK: equal

  /// Whether an identical record exists, as for most records restored again.
  ///
  /// Such a record is not decoded.
  private func isPlainlyEqual(_ message: [UInt8]) throws -> Bool {
    guard context.names.isEmpty, !(Record.self is Receipt.Type || Record.self is FilePart.Type) else {
      return false
    }
    var reader = WireReader()
    guard let first = try? reader.next(in: message.span), first.number == 1,
      case .content(let range) = first.value, !range.isEmpty,
      let equal = try standing.withID(Data(message[range])).first(where: { $0.message == message })
    else { return false }
    claim(equal)
    return true
  }

  private func equal(
    to record: Record, _ encoded: [UInt8], in known: [PresentRecord]
  ) throws -> PresentRecord? {
    if let same = known.first(where: { $0.message == encoded }) { return same }
    return try known.first { try standing.record($0).isEqualTo(message: record) }
  }

  private func claim(_ found: PresentRecord) {
    claimed.insert(found.row)
    counts.equal += 1
  }

  // MARK: names

  private func adopt(_ record: inout Record) throws -> Bool {
    let isRenamed = Record.self is Wallet.Type && context.names.wallet(record.id).isRenamed
    if var belonging = record as? any NamingRecord {
      try belonging.adopt(context.names)
      record = belonging as? Record ?? record
    }
    return isRenamed
  }

  private func isWaiting(_ record: Record, _ encoded: [UInt8]) throws -> Bool {
    // Wallets were matched first, because their records need their names.
    guard !(Record.self is Wallet.Type), record.naturalKey != nil,
      try standing.counterparts(of: record).contains(where: { !made.contains($0.row) })
    else { return false }
    if !waits { try context.database.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS waiting (message BLOB)") }
    waits = true
    try context.database.cachedStatement(sql: "INSERT INTO temp.waiting VALUES (?)")
      .execute(arguments: [Data(encoded)])
    return true
  }

  // MARK: conflicts

  private func resolve(_ record: Record, _ encoded: [UInt8], _ other: PresentRecord) throws {
    claimed.insert(other.row)
    if let part = record as? FilePart { return try resolve(part, record, encoded, other) }
    let fields = try differing(encoded, other)
    switch try rules.outcome(record, encoded, other) {
    case .keep(let resolution):
      counts.differing += 1
      note(record, fields, resolution, try address(of: record, other))
    case .put(let resolved, let resolution):
      counts.differing += 1
      note(record, fields, resolution, try address(of: record, other))
      // The row now has the archive's record. Another of its records with the same id must not replace it.
      let row = try writer?.put(resolved, at: other.row) ?? other.row
      claimed.insert(row)
      made.insert(row)
      try context.marks.settle(resolved)
    case .addBeside(let renamed):
      let known = try standing.withID(renamed.id)
      let message: [UInt8] = try renamed.serializedBytes()
      if try equal(to: renamed, message, in: known) != nil {
        counts.equal += 1
      } else if known.isEmpty {
        note(record, fields, .renamed, try address(of: record, other))
        try add(renamed)
      } else {
        counts.differing += 1
        note(record, fields, .kept, try address(of: record, other))
      }
    }
  }

  /// Resolves a part of a file: all parts must come from the same version of the file.
  private func resolve(
    _ part: FilePart, _ record: Record, _ encoded: [UInt8], _ other: PresentRecord
  ) throws {
    counts.differing += 1
    if keptFiles.contains(part.id) { return }
    if !replacedFiles.contains(part.id) {
      let fields = try differing(encoded, other)
      guard case .put = try rules.outcome(record, encoded, other) else {
        keptFiles.insert(part.id)
        return note(record, fields, rules.policy == .fail ? .none : .kept)
      }
      replacedFiles.insert(part.id)
      note(record, fields, .replaced)
      try writer?.removeParts(of: part.id) { !made.contains($0) && !claimed.contains($0) || $0 == other.row }
    } else {
      try writer?.removeParts(of: part.id) { $0 == other.row }
    }
    try insert(record)
  }

  private func differing(_ encoded: [UInt8], _ other: PresentRecord) throws -> [String] {
    try RecordFields.differing(encoded.span, other.message.span, in: Record.section)
  }

  /// Returns the differing fields of a wallet added under a new id.
  private func renamedFields(_ record: Record, _ encoded: [UInt8]) throws -> [String] {
    context.renamedFields[record.id] ?? []
  }

  private func note(
    _ record: Record, _ fields: [String], _ resolution: RestoreConflict.Resolution,
    _ address: RestoreConflict.Address? = nil
  ) {
    conflicts.append(
      RestoreConflict(
        section: Record.section, id: (try? standing.shelf.name(of: record)) ?? "", fields: fields,
        resolution: resolution, address: address))
  }

  /// Returns both addresses of a payee if they differ, because the name of a differing field is not enough to
  /// decide.
  private func address(of record: Record, _ other: PresentRecord) throws -> RestoreConflict.Address? {
    guard let archived = record.payee, let there = try standing.record(other).payee,
      archived.address != there.address
    else { return nil }
    return RestoreConflict.Address(
      name: there.name, there: PackedText.text(there.address) ?? "",
      archived: PackedText.text(archived.address) ?? "")
  }

  // MARK: adding

  private func add(_ record: Record) throws {
    if let contact = record as? Contact { try noteNamesake(of: contact, record) }
    counts.added += 1
    try insert(record)
  }

  private func noteNamesake(of contact: Contact, _ record: Record) throws {
    let names = try contactNames ?? ContactNames(standing.all().compactMap { $0 as? Contact })
    contactNames = names
    guard let other = names.paidOtherwise(than: contact) else { return }
    let address = RestoreConflict.Address(
      name: other.name, there: PackedText.text(other.address) ?? "",
      archived: PackedText.text(contact.address) ?? "")
    namesakes.append(Namesake(id: (try? standing.shelf.name(of: record)) ?? "", address: address))
  }

  private func insert(_ record: Record) throws {
    guard let row = try writer?.insert(record) else { return }
    claimed.insert(row)
    made.insert(row)
    try context.marks.settle(record)
  }
}

/// A section's merge, independent of its record type.
protocol SectionMerge: AnyObject {
  var counts: MergeCounts { get }
  var conflicts: [RestoreConflict] { get }
  var namesakes: [Namesake] { get }
  func take(_ message: [UInt8]) throws
  func finish() throws
}

extension StoreTable {
  /// Starts the merge of the table's section.
  func merge(_ context: MergeContext) throws -> any SectionMerge {
    try Self.merge(context.table(self), as: recordType, context)
  }

  private static func merge<Record: SectionRecord>(
    _ table: StoreTable, as type: Record.Type, _ context: MergeContext
  ) throws -> any SectionMerge { try RecordMerge<Record>(table, context) }
}

extension MergeReport {
  /// Adds a section's results.
  mutating func take(_ merge: any SectionMerge, of section: Section) {
    counts[section] = merge.counts
    conflicts += merge.conflicts
    namesakes += merge.namesakes
  }
}
