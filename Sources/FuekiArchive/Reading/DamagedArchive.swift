public import FuekiCrypto

/// A damaged archive with a usable header and trailer.
///
/// ``salvage(with:allowance:plaintextLimit:)`` returns its intact parts. The verdict remains *damaged*. Only
/// ``StoredArchive/verify(trusting:progress:)`` creates one.
public struct DamagedArchive: Sendable {
  let stored: StoredArchive
  let evidence: ChunkEvidence

  /// The archive's digest, computed from its trailer's header digest, counts and leaf root.
  public let digest: Digest
  /// Whether this file is damaged; if false, its base is damaged or missing.
  public let isDamaged: Bool
  /// A fault of the signature, which prevents salvage: another person may have signed the archive.
  public let signatureProblem: ArchiveError?

  /// Whether a digest covered by the seals vouches for each salvaged chunk.
  ///
  /// If not, the leaf table is damaged too, and anyone with a scope's key could have written its chunks.
  public var provesChunks: Bool {
    if case .tags = evidence { return false }
    return true
  }

  init(
    _ stored: StoredArchive, _ evidence: ChunkEvidence, trusting trusted: Set<Ed25519.PublicKey>?,
    isDamaged: Bool = true
  ) {
    self.stored = stored
    self.evidence = evidence
    self.isDamaged = isDamaged
    digest = stored.trailer.computedDigest
    do throws(ArchiveError) {
      try stored.checkSignature(over: digest, trusting: trusted)
      if trusted != nil, case .tags = evidence { throw .untrusted(.chunksUnproven) }
      signatureProblem = nil
    } catch { signatureProblem = error }
  }

  /// Opens the intact parts, as ``IntactArchive/unlock(with:allowance:plaintextLimit:)`` opens an intact
  /// archive.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of all sections' plaintext in bytes.
  /// - Returns: the archive with every unlocked scope, listing those whose index is damaged.
  /// - Throws: ``signatureProblem``, and the errors of opening an intact archive. Only chunks may be missing.
  public func salvage(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes
  ) throws(ArchiveError) -> SalvagedArchive {
    if let signatureProblem { throw signatureProblem }
    let streams = try stored.unlockStreams(
      with: secrets, allowance: allowance, plaintextLimit: plaintextLimit, digest: digest,
      evidence: evidence)
    return SalvagedArchive(
      source: self, streams: streams, history: streams.missingBase.map(SalvagedHistory.withoutBase) ?? .own)
  }
}

/// The origin of a salvaged archive's history.
public enum SalvagedHistory: Equatable, Sendable {
  /// The archive alone, which needs no base, or whose history is locked or lost.
  case own
  /// The archive and its base.
  case joined(BaseReference)
  /// Only the archive's own records: its base is missing, or the base's history is lost.
  case withoutBase(BaseReference)
  /// Only the archive's own records: the record of changes, which combines it with its base, is lost.
  case withoutChanges(BaseReference)
}

/// The salvaged parts of a damaged archive: every block with intact chunks, and the locations of the others.
///
/// Only ``DamagedArchive/salvage(with:allowance:plaintextLimit:)`` creates one.
public struct SalvagedArchive: UnlockedArchive {
  /// The archive before it was opened.
  public let source: DamagedArchive
  /// The streams that the secret opened.
  public let streams: UnlockedStreams
  /// The origin of its history.
  public let history: SalvagedHistory
}

/// The loss in one section of a damaged archive.
public struct SectionLoss: Hashable, Sendable {
  /// The section's id.
  public let section: UInt16
  /// The number of records that the section had.
  public let records: UInt64
  /// The number of lost records.
  public let lostRecords: UInt64
  /// The positions of the losses, in order.
  public let gaps: [Gap]

  /// A run of consecutive lost blocks.
  public struct Gap: Hashable, Sendable {
    /// The range of the lost bytes in the section's plaintext.
    public let bytes: Range<UInt64>
    /// The number of intact records before the gap.
    package let keptBefore: UInt64
    /// The number of lost records; a range if several gaps share an unknown split.
    public let count: ClosedRange<UInt64>
    /// The number, from 1, of the first lost record; a range if uncertain.
    public let first: ClosedRange<UInt64>
    /// The number of the last lost record; a range if uncertain.
    public let last: ClosedRange<UInt64>

    /// The numbers of the lost records, if both ends are certain.
    public var records: ClosedRange<UInt64>? {
      first.count == 1 && last.count == 1 ? first.lowerBound...last.lowerBound : nil
    }
  }

  /// The lost bytes of the section's plaintext.
  public var lostBytes: UInt64 { gaps.reduce(0) { $0 + UInt64($1.bytes.count) } }
}

/// Counts a section's blocks, intact or lost.
struct LossTally {
  private struct Run {
    let start: UInt64
    let keptBefore: UInt64
    var blocks: UInt64 = 0
    var bytes: UInt64 = 0
  }

  private(set) var kept: UInt64 = 0
  private var position: UInt64 = 0
  private var runs: [Run] = []
  private var isInRun = false

  /// Records an intact block.
  mutating func keep(records: Int, of block: StreamIndex.Block) {
    kept += UInt64(records)
    position += UInt64(block.plaintextBytes)
    isInRun = false
  }

  /// Records a lost block.
  mutating func lose(_ block: StreamIndex.Block) {
    if !isInRun { runs.append(Run(start: position, keptBefore: kept)) }
    isInRun = true
    runs[runs.count - 1].blocks += 1
    runs[runs.count - 1].bytes += UInt64(block.plaintextBytes)
    position += UInt64(block.plaintextBytes)
  }

  /// Returns the loss, or nil if every block was intact.
  ///
  /// - Throws: ``ArchiveError/forged(_:)`` if the section cannot have as many records as its index states.
  func loss(of section: StreamIndex.Section) throws(ArchiveError) -> SectionLoss? {
    let blocks = runs.reduce(0) { $0 + $1.blocks }
    let bytes = runs.reduce(0) { $0 + $1.bytes }
    // Every block holds at least one record, and every record at least one byte.
    guard section.records >= kept, (blocks...bytes).contains(section.records - kept) else {
      throw .forged(.records(section: section.id))
    }
    guard !runs.isEmpty else { return nil }
    let lost = section.records - kept
    let gaps = runs.indices.map { place in
      let (run, before, behind) = (runs[place], runs[..<place], runs[(place + 1)...])
      let lostBefore = Self.share(of: before, besides: runs[place...], in: lost)
      let lostBehind = Self.share(of: behind, besides: runs[...place], in: lost)
      let end = section.records - (kept - run.keptBefore)
      return SectionLoss.Gap(
        bytes: run.start..<run.start + run.bytes, keptBefore: run.keptBefore,
        count: Self.share(of: [run], besides: before + behind, in: lost),
        first: run.keptBefore + 1 + lostBefore.lowerBound...run.keptBefore + 1 + lostBefore.upperBound,
        last: end - lostBehind.upperBound...end - lostBehind.lowerBound)
    }
    return SectionLoss(section: section.id, records: section.records, lostRecords: lost, gaps: gaps)
  }

  /// Returns the possible number of lost records in some runs, given the minimum and maximum of the others.
  private static func share(
    of runs: ArraySlice<Run>, besides others: ArraySlice<Run>, in lost: UInt64
  ) -> ClosedRange<UInt64> {
    let elsewhere = others.reduce(0) { $0 + $1.bytes }
    let least = max(runs.reduce(0) { $0 + $1.blocks }, lost > elsewhere ? lost - elsewhere : 0)
    let most = min(runs.reduce(0) { $0 + $1.bytes }, lost - others.reduce(0) { $0 + $1.blocks })
    return least...most
  }
}
