/// The history of a differential archive that this run has written, as its file has it: read back with the keys that it
/// was written with, for nobody may be here who could open it.
package struct WrittenHistory: Sendable {
  private let opening: StreamOpening
  private let index: StreamIndex

  /// The sections that have records, in ascending order.
  package var sections: [UInt16] { index.sections.map(\.id) }

  /// Reads the history's index.
  ///
  /// - Parameters:
  ///   - written: what was written.
  ///   - intact: the same archive, every byte of which was read back.
  /// - Throws: ``ArchiveError`` where the index is not what it should be; nil where the archive is a full one.
  package init?(of written: WrittenArchive, in intact: IntactArchive) throws(ArchiveError) {
    guard let keys = written.historyKeys else { return nil }
    opening = StreamOpening(intact.stored, keys: keys, evidence: .allWhole)
    guard let index = try opening.readIndex() else { throw .forged(.index(.history)) }
    try index.checkLengths(in: .history, suite: intact.facts.suite, chunkCount: opening.chunkCount)
    self.index = index
  }

  /// Reads a section's records as they stand in the archive, without its base's.
  ///
  /// - Parameters:
  ///   - id: one of ``sections``.
  ///   - map: decodes one block; runs on workers.
  ///   - body: takes the decoded blocks in order, on the caller's thread.
  /// - Throws: ``ArchiveError``, and what `map` and `body` throw.
  package func read<Decoded: Sendable>(
    _ id: UInt16, map: @escaping @Sendable (RecordBlock) throws -> Decoded, body: (Decoded) throws -> Void
  ) throws {
    guard let part = SectionPart(id, of: index, opening: opening) else { return }
    let reader = PartReader(part, map: map)
    while let decoded = try reader.next() { try body(decoded) }
  }
}
