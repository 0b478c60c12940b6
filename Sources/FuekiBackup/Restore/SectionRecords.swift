package import SwiftProtobuf
public import FuekiArchive
public import FuekiWallet

/// The records of one section of an archive that a secret has opened.
public struct SectionRecords {
  /// The section.
  public let section: Section
  /// How many records the archive's index announces, those of wallets that are not wanted included.
  public let count: UInt64
  private let archive: any UnlockedArchive
  private let losses: LossLedger
  private let lift: RecordLift?
  private let filter: RecordFilter?
  private let progress: (RestoreProgress) throws -> Void
  let handed = HandedRecords()

  init(
    section: Section, count: UInt64, plan: RestorePlan,
    progress: @escaping (RestoreProgress) throws -> Void
  ) {
    lift = plan.lift
    self.section = section
    self.count = count
    archive = plan.archive
    losses = plan.ledger
    filter = plan.filter
    self.progress = progress
  }

  /// How many bytes the archive's index announces.
  var byteCount: UInt64 { archive.sections.first { $0.id == section.rawValue }?.plaintextBytes ?? 0 }

  /// Passes on the records in order, block by block; for a damaged archive, those that are not lost.
  ///
  /// The records are authenticated only when this returns.
  ///
  /// - Parameters:
  ///   - decode: decodes a block's records for the destination; runs on workers.
  ///   - body: receives the blocks in order, on the caller's thread.
  /// - Throws: ``ArchiveError``, and errors from `decode` and `body`.
  public func forEachBlock<Decoded: Sendable>(
    decode: @escaping @Sendable (RecordBlock) throws -> Decoded, body: (Decoded) throws -> Void
  ) throws {
    let (section, filter) = (section, filter)
    let lift = lift.flatMap { $0.touches(section) ? $0 : nil }
    try filter?.prepare(section)
    handed.reset()
    let loss = try archive.readRecords(of: section.rawValue) { block in
      let block = try lift?.apply(to: block, of: section) ?? block
      guard let filter else { return (try decode(block), block.messages.count, block.messages.count) }
      let chosen = try block.keeping { try filter.chooses($0, of: section) }
      return (try decode(chosen), block.messages.count, chosen.messages.count)
    } body: { decoded, read, chosen in
      try body(decoded)
      handed.note(read: read, chosen: chosen)
      try progress(.restoring(section, records: handed.read, of: count))
    }
    losses.note(loss)
  }
}

extension RecordBlock {
  /// The block's records as messages.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` where one is not what its section holds.
  package func decoded<Record: SectionRecord>(as type: Record.Type) throws(RecordsError) -> [Record] {
    try decoded(as: type, in: Record.section)
  }

  /// The block's records as messages of a type that says no section.
  ///
  /// - Throws: As ``decoded(as:)``.
  package func decoded<Record: Message>(
    as _: Record.Type, in section: Section
  ) throws(RecordsError) -> [Record] {
    try messages.map { range throws(RecordsError) in
      guard let record = try? Record(serializedBytes: Array(bytes[range])) else {
        throw .malformedRecord(section: section.name)
      }
      return record
    }
  }
}
