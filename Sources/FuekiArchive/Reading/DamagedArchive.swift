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

  /// The header's facts.
  public var facts: HeaderFacts { stored.facts }
  /// The archive before verification.
  public var source: StoredArchive { stored }
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
