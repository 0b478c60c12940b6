public import FuekiCrypto

/// An archive with a valid structure: steps 1 and 2 of fueki-archive(5), at the cost of a few small reads.
///
/// Its bytes are not verified yet. ``verify(trusting:progress:)`` does that. It is a class, because each of thousands of
/// listed archives is in several lists.
public final class StoredArchive: Sendable {
  let file: ArchiveFile
  let header: Header
  let trailer: Trailer
  let layout: Layout
  /// Damage found so far: damaged copies, which do not stop readers, and misplaced bytes, which do.
  public let structuralDamage: [ArchiveError.Damage]
  /// The file's length.
  public let byteCount: UInt64
  /// The archive's own length, whatever follows it in the file.
  package var statedByteCount: UInt64 { layout.length }
  /// Whether the signature is the signer's over the computed digest and, if the header states it, over the seals.
  ///
  /// Verified once: listings ask several times for each archive, and this took half of their processor time.
  let hasValidSignature: Bool

  /// The path with which a local file was opened; nil if it is stored elsewhere.
  public var path: String? { file.path }
  /// The header's facts, not yet authenticated.
  public var facts: HeaderFacts { header.facts }
  /// The digest that the trailer states.
  public var statedDigest: Digest { trailer.archiveDigest }
  /// The digest computed from the trailer's own bytes, whatever it states.
  public var computedDigest: Digest { trailer.computedDigest }
  /// The public facts of the slots, in order.
  public var slots: [SlotSummary] {
    header.slots.enumerated().map { SlotSummary($0.element, number: $0.offset + 1) }
  }
  /// The padded sizes of profile, history and secrets, in bytes of plaintext.
  public var streamBytes: [UInt64] { layout.chunkCounts.map { $0 * UInt64(Limits.chunkPlaintextBytes) } }
  /// Unknown header fields that this version may ignore.
  public var unknownFields: [UInt16] { header.unknownFields }

  /// Checks the structure of the archive in `file`.
  ///
  /// - Parameters:
  ///   - file: the archive's bytes, few of which are read.
  ///   - search: how far to search for a trailer if there is none at the file's end.
  /// - Throws: ``ArchiveError``, including when an `Interruption` ends the search.
  public init(reading file: ArchiveFile, search: TrailerSearch = .wholeFile) throws(ArchiveError) {
    let reader = try StructureReader(file: file, search: search)
    let located = try reader.locate()
    do {
      try Self.checkLengths(located.layout)
      header = try Header(decoding: Array(located.header.dropLast(32)))
    } catch {
      // Damage that stops readers takes precedence, though the search for more damage continued.
      throw located.damage.first(where: \.stopsReader).map(ArchiveError.damaged) ?? error
    }
    self.file = file
    trailer = located.trailer
    layout = located.layout
    structuralDamage = located.damage
    byteCount = reader.size
    hasValidSignature =
      header.facts.signer.map { [facts = header.facts, trailer] in
        trailer.isSigned(by: $0, over: trailer.computedDigest, coveringSeals: facts.signatureCoversSeals)
      } ?? false
  }

  private static func checkLengths(_ layout: Layout) throws(ArchiveError) {
    guard layout.length >= Limits.archiveBytes.lowerBound else { throw .forged(.tooShort) }
    guard layout.chunkCounts.allSatisfy(Padme.isChunkCount) else { throw .forged(.padding) }
  }
}
