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
