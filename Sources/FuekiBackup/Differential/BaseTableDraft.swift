internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The table of an archive that has just been made, on its way into its file.
///
/// The keys and identities are held once, as bytes, and given in pieces: the file is never in memory as a whole.
struct BaseTableDraft {
  private static let pieceBytes = 1 << 20

  private let head: [UInt8]
  private let sections: [PassedRecords]

  /// Prepares the table; nil if it would exceed the limit on records.
  init?(_ pass: HistoryPass, of archive: WrittenArchive, slots: SlotNote) {
    let outcomes = pass.outcomes.filter { $0.count > 0 }.sorted { $0.id < $1.id }
    guard outcomes.reduce(0, { $0 + $1.count }) <= BaseTable.mostRecords else { return nil }
    var head = BaseTableFile.magic + archive.digest.bytes
    head.append(littleEndian: archive.facts.sequence)
    head.append(littleEndian: archive.facts.created)
    head.append(littleEndian: archive.byteCount)
    head += slots.digest.bytes + pass.keying.secret
    head.append(littleEndian: UInt16(outcomes.count))
    var sections: [PassedRecords] = []
    for outcome in outcomes {
      guard let records = outcome.records else { return nil }
      head.append(littleEndian: outcome.id)
      head.append(littleEndian: UInt64(records.count))
      head.append(littleEndian: UInt64(records.nameByteCount))
      sections.append(records)
    }
    self.head = head
    self.sections = sections
  }

  /// Writes the file's bytes, in order.
  ///
  /// - Throws: errors from `give`.
  func forEachPiece(_ give: (Span<UInt8>) throws(SystemError) -> Void) throws(SystemError) {
    var hash = SHA256()
    var piece = head
    for records in sections {
      for column in [PassedRecords.Column.keys, .names] {
        for part in 0..<PassedRecords.partCount {
          records.append(column, of: part, to: &piece)
          guard piece.count >= Self.pieceBytes else { continue }
          hash.update(piece.span)
          try give(piece.span)
          piece.removeAll(keepingCapacity: true)
        }
      }
    }
    hash.update(piece.span)
    hash.finalize().append(to: &piece)
    try give(piece.span)
  }
}
