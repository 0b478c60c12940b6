/// An archive that a secret has opened: the keys are the header's own, and the opened streams' indices hold
/// (steps 5 to 7 of fueki-archive(5)).
///
/// Its blocks are authenticated as they are read. There is no other way to one than
/// ``IntactArchive/unlock(with:allowance:plaintextLimit:)`` or, of a differential archive, through
/// ``UnjoinedArchive/joined(with:allowance:plaintextLimit:bases:progress:)``: its history is then that of both files.
public struct OpenArchive: UnlockedArchive {
  let intact: IntactArchive
  /// The streams that the secret opened.
  public let streams: UnlockedStreams

  /// A request for a slot of the same type and scopes that the same secret would open; nil where slot `number` is
  /// closed.
  public func newSlot(like number: Int) -> NewSlot? { streams.slots[number] }

  /// The archive, as it was before it was opened.
  public var source: IntactArchive { intact }

  init(_ intact: IntactArchive, _ streams: UnlockedStreams) {
    self.intact = intact
    self.streams = streams
  }
}

extension IntactArchive {
  /// Tries every slot that there is a secret for, and opens the streams whose keys it gives; of an archive that needs
  /// no base to be read.
  ///
  /// - Parameters:
  ///   - secrets: what the caller has.
  ///   - allowance: what the key derivation may cost; checked before any is done.
  ///   - plaintextLimit: the most that all sections' plaintext may be, in bytes.
  /// - Returns: the archive, with every scope that a slot gave the key of.
  /// - Throws: ``ArchiveError/wrongSecret`` where no slot opens, ``ArchiveError/overLimit(_:)`` where opening would
  ///   cost more than is allowed, ``ArchiveError/forged(_:)`` where a key, a seal or an index does not hold,
  ///   ``ArchiveError/baseMissing(_:)`` where the history needs a base.
  public func unlock(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes
  ) throws(ArchiveError) -> OpenArchive {
    try unlockAlone(with: secrets, allowance: allowance, plaintextLimit: plaintextLimit).whole()
  }
}
