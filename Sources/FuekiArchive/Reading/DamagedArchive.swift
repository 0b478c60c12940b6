public import FuekiCrypto

/// An archive some bytes of which are not as they were written, while a header and a trailer serve.
///
/// What is whole in it can be brought back with ``salvage(with:allowance:plaintextLimit:)``; the verdict stays
/// *damaged*. There is no other way to one than ``StoredArchive/verify(trusting:progress:)``.
public struct DamagedArchive: Sendable {
  let stored: StoredArchive
  let evidence: ChunkEvidence

  /// The digest that names the archive, from what its trailer says of header, counts and leaves.
  public let digest: Digest
  /// Whether it is this file that is damaged; else it is its base that is, or is missing.
  public let isDamaged: Bool
  /// What is wrong with the signature: nothing is salvaged from an archive that somebody else signed.
  public let signatureProblem: ArchiveError?

  /// What the header says.
  public var facts: HeaderFacts { stored.facts }
  /// The archive, as it was before it was verified.
  public var source: StoredArchive { stored }
  /// Whether a digest that the seals cover speaks for each chunk that is salvaged.
  ///
  /// Where it does not, the leaf table is damaged too, and whoever holds a scope's key could have written its chunks.
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

  /// Opens what is left, as ``IntactArchive/unlock(with:allowance:plaintextLimit:)`` opens what is whole.
  ///
  /// - Parameters:
  ///   - secrets: what the caller has.
  ///   - allowance: what the key derivation may cost; checked before any is done.
  ///   - plaintextLimit: the most that all sections' plaintext may be, in bytes.
  /// - Returns: the archive, with every scope that a slot gave the key of; those whose index is damaged are named.
  /// - Throws: ``signatureProblem``, and what opening a whole archive throws; only chunks may be missing.
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

/// Where the history of what is left of an archive comes from.
public enum SalvagedHistory: Equatable, Sendable {
  /// From the archive alone, which needs no base, or whose history is closed or lost.
  case own
  /// From the archive and its base.
  case joined(BaseReference)
  /// Only what the archive itself holds: its base is not at hand, or the base's history is lost.
  case withoutBase(BaseReference)
  /// Only what the archive itself holds: what says how it and its base fit together is lost.
  case withoutChanges(BaseReference)
}

/// What is left of a damaged archive: every block whose chunks are whole, and the names of the others.
///
/// There is no other way to one than ``DamagedArchive/salvage(with:allowance:plaintextLimit:)``.
public struct SalvagedArchive: UnlockedArchive {
  /// The archive, as it was before it was opened.
  public let source: DamagedArchive
  /// The streams that the secret opened.
  public let streams: UnlockedStreams
  /// Where its history comes from.
  public let history: SalvagedHistory

  init(source: DamagedArchive, streams: UnlockedStreams, history: SalvagedHistory) {
    self.source = source
    self.streams = streams
    self.history = history
  }
}
