internal import FuekiCrypto

/// An unlocked archive whose history is not yet joined with its base and cannot be read.
///
/// If no base is needed, because the archive is full or its history is locked, ``whole()`` returns an
/// ``OpenArchive``. Otherwise use ``joined(with:allowance:plaintextLimit:bases:progress:)``. Only
/// ``IntactArchive/unlockAlone(with:allowance:plaintextLimit:)`` creates one.
public struct UnjoinedArchive: Sendable {
  let intact: IntactArchive
  let streams: UnlockedStreams

  /// The base needed to read the history; nil if none is needed.
  public var missingBase: BaseReference? { streams.missingBase }
  /// The unlocked scopes, in ascending order.
  public var scopes: [ArchiveScope] { streams.opened.keys.sorted() }
  /// The numbers of the slots that the secrets opened, from 1.
  public var openedSlots: [Int] { streams.slots.keys.sorted() }

  /// Returns the archive if it needs no base.
  ///
  /// - Throws: ``ArchiveError/baseMissing(_:)``.
  public func whole() throws(ArchiveError) -> OpenArchive {
    if let missingBase { throw .baseMissing(missingBase) }
    return OpenArchive(intact, streams)
  }

  /// Returns the archive without its history.
  ///
  /// The other scopes never depend on a base.
  public func withoutHistory() -> OpenArchive { OpenArchive(intact, streams.withoutHistory) }

  /// Reads all open contents of this file alone, like ``OpenArchive/checkContents(judging:progress:)``.
  public func checkContents(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    try streams.checkAlone(judging: judge, progress: progress)
  }
}

/// Returns the files that may be a base, such as all archives of a directory, in the order to try.
public typealias BaseCandidates = (BaseReference) throws -> [ArchiveFile]

extension IntactArchive {
  /// Tries every slot that a given secret may open, and opens the streams of the unwrapped keys, without a
  /// base.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of all sections' plaintext in bytes.
  /// - Returns: the archive with every unlocked scope.
  /// - Throws: ``ArchiveError/wrongSecret`` if no slot opens, ``ArchiveError/overLimit(_:)`` if opening would
  ///   exceed the limits, ``ArchiveError/forged(_:)`` if a key, a seal or an index is invalid.
  public func unlockAlone(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes
  ) throws(ArchiveError) -> UnjoinedArchive {
    UnjoinedArchive(
      intact: self,
      streams: try stored.unlockStreams(
        with: secrets, allowance: allowance, plaintextLimit: plaintextLimit, digest: digest,
        evidence: .allWhole))
  }
}

extension UnjoinedArchive {
  /// Joins the archive's history with its base's.
  ///
  /// Returns the archive unchanged if no base is needed.
  ///
  /// - Parameters:
  ///   - secrets: the secrets that opened the archive, which must also open the base's history.
  ///   - allowance: the limit of the key derivation's cost.
  ///   - plaintextLimit: the limit of both files' plaintext in bytes.
  ///   - bases: finds candidates for the base.
  ///   - progress: receives the bytes read of the base so far and its total; an error thrown by it ends the
  ///     work.
  /// - Returns: the archive with the history of both files.
  /// - Throws: ``ArchiveError/baseMissing(_:)``; ``ArchiveError/inBase(_:_:)`` for faults of the base alone;
  ///   ``ArchiveError/forged(_:)`` if the two contradict the archive; the errors of `bases` and `progress`.
  public func joined(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes, bases: BaseCandidates,
    progress: (UInt64, UInt64) throws -> Void = { _, _ in }
  ) throws -> OpenArchive {
    guard let reference = missingBase else { return OpenArchive(intact, streams) }
    guard let changes = try streams.readChanges() else { throw ArchiveError.forged(.changes) }
    let search = BaseSearch(
      reference: reference, archive: streams.archive, secrets: secrets, allowance: allowance,
      plaintextLimit: streams.remaining(of: plaintextLimit))
    switch try search.open(among: try bases(reference), progress: progress) {
    case nil: throw ArchiveError.baseMissing(reference)
    case .damaged(let found):
      throw ArchiveError.inBase(reference, .damaged(found.report.damage.first ?? .structure))
    case .opened(let base):
      return OpenArchive(intact, try streams.joined(with: base, reference, changes))
    }
  }
}
