internal import FuekiCrypto

/// An archive that a secret has opened by itself: what a differential archive's history takes from its base is not
/// there yet, and none of its records can be read.
///
/// A full archive, and one whose history is closed, is an ``OpenArchive`` as it stands: ``whole()``. Any other becomes
/// one with its base: ``joined(with:allowance:plaintextLimit:bases:progress:)``. There is no other way to one than
/// ``IntactArchive/unlockAlone(with:allowance:plaintextLimit:)``.
public struct UnjoinedArchive: Sendable {
  let intact: IntactArchive
  let streams: UnlockedStreams

  /// The base that the history cannot be read without; nil where none is needed.
  public var missingBase: BaseReference? { streams.missingBase }
  /// The scopes that the secret opened, in ascending order.
  public var scopes: [ArchiveScope] { streams.opened.keys.sorted() }
  /// The numbers of the slots that the secrets opened, from 1.
  public var openedSlots: [Int] { streams.slots.keys.sorted() }

  /// The archive, where it needs no base.
  ///
  /// - Throws: ``ArchiveError/baseMissing(_:)``.
  public func whole() throws(ArchiveError) -> OpenArchive {
    if let missingBase { throw .baseMissing(missingBase) }
    return OpenArchive(intact, streams)
  }

  /// The archive without its history: the other scopes are in it whole, whatever its base.
  public func withoutHistory() -> OpenArchive { OpenArchive(intact, streams.withoutHistory) }

  /// Reads everything that is open of this file alone, as ``OpenArchive/checkContents(judging:progress:)`` does of all.
  public func checkContents(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    try streams.checkAlone(judging: judge, progress: progress)
  }
}

/// Files among which a base may be, such as all of a folder's archives, in the order in which they are tried.
public typealias BaseCandidates = (BaseReference) throws -> [ArchiveFile]

extension IntactArchive {
  /// Tries every slot that there is a secret for, and opens the streams whose keys it gives, without a base.
  ///
  /// - Parameters:
  ///   - secrets: what the caller has.
  ///   - allowance: what the key derivation may cost; checked before any is done.
  ///   - plaintextLimit: the most that all sections' plaintext may be, in bytes.
  /// - Returns: the archive, with every scope that a slot gave the key of.
  /// - Throws: ``ArchiveError/wrongSecret`` where no slot opens, ``ArchiveError/overLimit(_:)`` where opening would
  ///   cost more than is allowed, ``ArchiveError/forged(_:)`` where a key, a seal or an index does not hold.
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
  /// The archive with the history that it and its base hold together; as it stands where it needs none.
  ///
  /// - Parameters:
  ///   - secrets: what opened the archive; the same has to open the base's history.
  ///   - allowance: what the key derivation may cost.
  ///   - plaintextLimit: the most that all sections' plaintext of both files may be, in bytes.
  ///   - bases: where the base may be.
  ///   - progress: is told the bytes read of the base so far, and all; what it throws ends the work.
  /// - Returns: the archive, whose history is that of both files.
  /// - Throws: ``ArchiveError/baseMissing(_:)``; ``ArchiveError/inBase(_:_:)`` for what is wrong with the base alone;
  ///   ``ArchiveError/forged(_:)`` where the two are not what the archive says; what `bases` and `progress` throw.
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
