internal import FuekiSystem
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
  package var unknownFields: [UInt16] { header.unknownFields }

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

extension StoredArchive {
  /// The archive's digest, if the trailer's own bytes yield it.
  ///
  /// Nil if the trailer states another digest, or the seals are not the signed ones. The digest covers the
  /// header, the chunk counts and the leaf table. Only ``verify(trusting:progress:)`` compares the chunks
  /// with it.
  public var provenDigest: Digest? {
    guard trailer.computedDigest == trailer.archiveDigest, !hasOtherSealsThanSigned else { return nil }
    return trailer.archiveDigest
  }

  /// Whether one of these keys signed the archive, and with it the whole header.
  ///
  /// The signature is verified rather than the header's claim trusted, without reading the file.
  public func isSigned(byOneOf keys: Set<Ed25519.PublicKey>) -> Bool {
    guard let signer = facts.signer, keys.contains(signer) else { return false }
    return hasValidSignature && provenDigest != nil
  }

  /// Whether the header states that the signature covers the seals, but it does not cover these.
  ///
  /// Anyone can copy an archive and replace its seals. The copy has the same digest, but no key opens it.
  public var hasOtherSealsThanSigned: Bool {
    facts.signatureCoversSeals && facts.signer != nil && !hasValidSignature
  }
}

/// Detects unfilled parts of a file: a sync client may create a file at full length and fill it later, in any
/// order.
///
/// Ciphertext and digests do not contain long runs of zeros, so such a part is undamaged and was never
/// stored.
extension ArchiveFile {
  private static let zeroRun = 64

  /// Whether the file has holes, or starts or ends with zeros, as no archive does.
  public func isUnfilled() -> Bool {
    if storedPart != .all { return true }
    guard let size = try? byteCount(), size > UInt64(2 * Self.zeroRun) else { return false }
    return (try? hasZeroEdge(at: 0, count: size)) ?? false
  }

  /// Whether the file has a length but no stored contents.
  public var hasNoContents: Bool { storedPart == .nothing }

  /// Whether all bytes of the file are stored, and zero.
  ///
  /// - Parameter progress: receives the number of bytes read so far. An error that it throws ends the work.
  /// - Returns: false if the file is empty, or has only a length.
  /// - Throws: ``ArchiveError/unreadable(_:)``, and the errors of `progress`.
  package func holdsOnlyZeros(progress: (UInt64) throws -> Void) throws -> Bool {
    let (size, step) = (try byteCount(), UInt64(1 << 20))
    guard size > 0, !hasNoContents else { return false }
    var start: UInt64 = 0
    while start < size {
      try progress(start)
      let bytes = try read(Int(min(step, size - start)), at: start)
      guard !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) else { return false }
      start += UInt64(bytes.count)
    }
    return true
  }

  /// Whether a part of the file starts or ends with zeros.
  ///
  /// A short part must be all zeros.
  func hasZeroEdge(at offset: UInt64, count: UInt64) throws(ArchiveError) -> Bool {
    let length = Int(min(count, UInt64(Self.zeroRun)))
    for start in [offset, offset + count - UInt64(length)] {
      let bytes = try read(length, at: start)
      if bytes.allSatisfy({ $0 == 0 }) { return true }
    }
    return false
  }
}

extension StoredArchive {
  /// Whether parts of the file are not stored, though its structure is valid.
  public var hasHoles: Bool { file.storedPart != .all }

  /// Whether all of this damage is in unfilled parts.
  public func isUnfilled(_ damage: [ArchiveError.Damage]) throws(ArchiveError) -> Bool {
    // Values computed from many parts differ if any part does.
    let parts = damage.filter { $0 != .leafRoot && $0 != .archiveDigest }
    for part in parts {
      guard try isUnfilled(part) else { return false }
    }
    return !parts.isEmpty
  }

  private func isUnfilled(_ part: ArchiveError.Damage) throws(ArchiveError) -> Bool {
    switch part {
    case .firstHeader: return try file.hasZeroEdge(at: 0, count: layout.headerBytes)
    case .headerCopy: return try file.hasZeroEdge(at: layout.headerCopyOffset, count: layout.headerBytes)
    case .firstTrailer:
      return try file.hasZeroEdge(at: layout.firstTrailerOffset, count: UInt64(Trailer.byteCount))
    case .trailerCopy:
      return try file.hasZeroEdge(at: layout.trailerCopyOffset, count: UInt64(Trailer.byteCount))
    case .chunk(let stream, let chunk):
      let index = layout.firstChunk(of: stream) + chunk
      let isChunk = try file.hasZeroEdge(
        at: layout.offset(ofChunk: index), count: UInt64(Limits.chunkBytes))
      if isChunk { return true }
      return try isLeafUnfilled(index)
    case .leaf(let stream, let chunk): return try isLeafUnfilled(layout.firstChunk(of: stream) + chunk)
    case .structure: return file.isUnfilled()
    case .reservedBytes, .trailingBytes, .leafRoot, .archiveDigest: return false
    }
  }

  private func isLeafUnfilled(_ index: UInt64) throws(ArchiveError) -> Bool {
    let length = UInt64(Layout.leafBytes)
    return try file.hasZeroEdge(at: layout.leafTableOffset + index * length, count: length)
  }
}
