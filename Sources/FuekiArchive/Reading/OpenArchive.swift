/// An unlocked archive: the keys belong to the header, and the opened streams' indices are valid.
///
/// These are steps 5 to 7 of fueki-archive(5). Its blocks are authenticated as they are read. Only
/// ``IntactArchive/unlock(with:allowance:plaintextLimit:)`` creates one or, for a differential archive,
/// ``UnjoinedArchive/joined(with:allowance:plaintextLimit:bases:progress:)``. Its history then comes
/// from both files.
public struct OpenArchive: UnlockedArchive {
  let intact: IntactArchive
  /// The streams that the secret opened.
  public let streams: UnlockedStreams

  /// Returns a request for a slot of the same type and scopes for the same secret; nil if slot `number` is
  /// locked.
  public func newSlot(like number: Int) -> NewSlot? { streams.slots[number] }

  /// The archive before it was opened.
  public var source: IntactArchive { intact }

  init(_ intact: IntactArchive, _ streams: UnlockedStreams) {
    self.intact = intact
    self.streams = streams
  }
}

extension IntactArchive {
  /// Tries every slot that a given secret may open, and opens the streams of the unwrapped keys.
  ///
  /// For an archive that needs no base.
  ///
  /// - Parameters:
  ///   - secrets: the caller's secrets.
  ///   - allowance: the limit of the key derivation's cost, checked before deriving.
  ///   - plaintextLimit: the limit of all sections' plaintext in bytes.
  /// - Returns: the archive with every unlocked scope.
  /// - Throws: ``ArchiveError/wrongSecret`` if no slot opens, ``ArchiveError/overLimit(_:)`` if opening would
  ///   exceed the limits, ``ArchiveError/forged(_:)`` if a key, a seal or an index is invalid,
  ///   ``ArchiveError/baseMissing(_:)`` if the history needs a base.
  public func unlock(
    with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance = .standard,
    plaintextLimit: UInt64 = Limits.plaintextBytes
  ) throws(ArchiveError) -> OpenArchive {
    try unlockAlone(with: secrets, allowance: allowance, plaintextLimit: plaintextLimit).whole()
  }
}
