public import FuekiCrypto

/// An archive whose structure holds: steps 1 and 2 of fueki-archive(5), at the cost of a few small reads.
///
/// Nothing says yet that its bytes are as they were written: that is what ``verify(trusting:progress:)`` finds out.
public struct StoredArchive: Sendable {
  let file: ArchiveFile
  let header: Header
  let trailer: Trailer
  let layout: Layout
  /// Copies that are not whole, which stop nobody, and what does: bytes where none belong.
  public let structuralDamage: [ArchiveError.Damage]
  /// The file's length.
  public let byteCount: UInt64

  /// What the header says, believed by nobody yet.
  public var facts: HeaderFacts { header.facts }
  /// The digest that names the archive, as its trailer states it.
  public var statedDigest: Digest { trailer.archiveDigest }
  /// The digest that the trailer's own bytes give, whatever it states.
  public var computedDigest: Digest { trailer.computedDigest }
  /// What anyone can see of the slots, in order.
  public var slots: [SlotSummary] {
    header.slots.enumerated().map { SlotSummary($0.element, number: $0.offset + 1) }
  }
  /// Whether nobody who records the archive today can open it with a quantum computer of a later day, by what its
  /// slots say they are.
  public var isSealedForTheLongTerm: Bool { header.slots.allSatisfy(\.type.isForTheLongTerm) }
  /// The padded sizes of profile, history and secrets, in bytes of plaintext.
  public var streamBytes: [UInt64] { layout.chunkCounts.map { $0 * UInt64(Limits.chunkPlaintextBytes) } }
  /// Header fields that this version does not know and need not know.
  public var unknownFields: [UInt16] { header.unknownFields }

  /// Judges the structure of the archive in `file`.
  ///
  /// - Parameters:
  ///   - file: the archive's bytes, of which few are read.
  ///   - search: how far a trailer is looked for where none is at the file's end.
  /// - Throws: ``ArchiveError``, also where an `Interruption` ends the search.
  public init(reading file: ArchiveFile, search: TrailerSearch = .wholeFile) throws(ArchiveError) {
    let reader = try StructureReader(file: file, search: search)
    let located = try reader.locate()
    do {
      try Self.checkLengths(located.layout)
      header = try Header(decoding: Array(located.header.dropLast(32)))
    } catch {
      // What stops a reader is judged before, though it does not stop the search for more damage.
      throw located.damage.first(where: \.stopsReader).map(ArchiveError.damaged) ?? error
    }
    self.file = file
    trailer = located.trailer
    layout = located.layout
    structuralDamage = located.damage
    byteCount = reader.size
  }

  private static func checkLengths(_ layout: Layout) throws(ArchiveError) {
    guard layout.length >= Limits.archiveBytes.lowerBound else { throw .forged(.tooShort) }
    guard layout.chunkCounts.allSatisfy(Padme.isChunkCount) else { throw .forged(.padding) }
  }
}
