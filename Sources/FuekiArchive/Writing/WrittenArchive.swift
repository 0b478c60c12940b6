public import FuekiCrypto

/// A completely written archive, not yet read back.
public struct WrittenArchive: Sendable {
  /// The archive's digest.
  public let digest: Digest
  /// The header's facts.
  public let facts: HeaderFacts
  /// The types of its slots, in order.
  let slotTypes: [SlotType]
  /// For each slot, whether it withstands future quantum computers in the hands of someone who records the
  /// archive.
  ///
  /// For a plugin's slot, as the plugin stated when it created the slot.
  public let slotsForTheLongTerm: [Bool]
  /// The file's length.
  public let byteCount: UInt64
  /// The checksum of the bundle's contents.
  package let bundleChecksum: Digest
  /// The sections, including the manifest, in ascending id.
  package let sections: [SectionSummary]
  /// The keys to read a differential archive's history back; nil for a full archive.
  let historyKeys: ScopeKeys?
  /// The record counts of a differential archive's history, joined with its base; nil for a full archive.
  package var resultCounts: [UInt16: UInt64]?

  /// The record count of each section, including the manifest.
  ///
  /// A differential archive is joined with its base.
  public var recordCounts: [UInt16: UInt64] {
    var counts: [UInt16: UInt64] = [:]
    for section in sections where resultCounts == nil || !(32...62).contains(section.id) {
      counts[section.id] = section.records
    }
    return counts.merging(resultCounts ?? [:]) { $1 }
  }
}

/// A differential archive's history as this run has written it, read back with the writing keys.
///
/// No secret that opens the archive may be available here.
package struct WrittenHistory: Sendable {
  private let opening: StreamOpening
  private let index: StreamIndex

  /// The sections with records, in ascending order.
  package var sections: [UInt16] { index.sections.map(\.id) }

  /// Reads the history's index.
  ///
  /// - Parameters:
  ///   - written: the written archive.
  ///   - intact: the same archive, read back completely.
  /// - Throws: ``ArchiveError`` if the index is wrong; nil if the archive is a full one.
  package init?(of written: WrittenArchive, in intact: IntactArchive) throws(ArchiveError) {
    guard let keys = written.historyKeys else { return nil }
    opening = StreamOpening(intact.stored, keys: keys, evidence: .allWhole)
    guard let index = try opening.readIndex() else { throw .forged(.index(.history)) }
    try index.checkLengths(in: .history, suite: intact.facts.suite, chunkCount: opening.chunkCount)
    self.index = index
  }

  /// Reads a section's own records, without its base's.
  ///
  /// - Parameters:
  ///   - id: one of ``sections``.
  ///   - map: decodes one block; runs on workers.
  ///   - body: receives the decoded blocks in order, on the caller's thread.
  /// - Throws: ``ArchiveError``, and the errors of `map` and `body`.
  package func read<Decoded: Sendable>(
    _ id: UInt16, map: @escaping @Sendable (RecordBlock) throws -> Decoded, body: (Decoded) throws -> Void
  ) throws {
    guard let part = SectionPart(id, of: index, opening: opening) else { return }
    let reader = PartReader(part, map: map)
    while let decoded = try reader.next() { try body(decoded) }
  }
}
