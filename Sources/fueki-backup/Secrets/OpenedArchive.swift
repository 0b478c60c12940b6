internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension StoredArchive {
  /// Returns the archive, after verifying every byte that matters.
  ///
  /// - Parameters:
  ///   - trusted: keys of which at least one must have signed it; nil requires none.
  ///   - progress: receives the bytes read so far.
  /// - Returns: the archive.
  /// - Throws: ``ArchiveError``, and errors from `progress`.
  func intact(
    trusting trusted: Set<Ed25519.PublicKey>? = nil, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> IntactArchive {
    let report = try verify(trusting: trusted, progress: progress)
    guard let intact = report.intact else { throw ArchiveError.damaged(report.damage.first ?? .structure) }
    return intact
  }

  /// Verifies every byte, then opens the archive, for commands that read its contents and restore nothing.
  ///
  /// The secrets are requested only after the archive is known to be intact. If they open nothing, the error includes
  /// the names of the slots. A differential archive's base is searched with `bases`; nil leaves the history closed.
  /// `explain` returns the error to report, from the archive's error and the secrets that were given.
  func opened(
    with secrets: @autoclosure () throws -> UnlockingSecrets, names: SlotNames = .none, bases: BaseFinder?,
    trusting trusted: Set<Ed25519.PublicKey>? = nil,
    progress: (UInt64) throws -> Void = { _ in },
    explaining explain: (ArchiveError, UnlockingSecrets?) throws -> any Error = { error, _ in error }
  ) throws -> OpenArchive {
    try names.explaining(self) {
      var given: UnlockingSecrets?
      do {
        let intact = try intact(trusting: trusted, progress: progress)
        let unlocking = try secrets()
        given = unlocking
        let alone = try intact.unlockAlone(with: unlocking)
        guard let bases else { return try alone.missingBase == nil ? alone.whole() : alone.withoutHistory() }
        return try alone.joined(with: unlocking, bases: bases.candidates) { bytes, _ in try progress(bytes) }
      } catch let error as ArchiveError {
        throw try explain(error, given)
      }
    }
  }
}
