internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension StoredArchive {
  /// The archive, where every byte that matters is as it was written.
  ///
  /// - Parameters:
  ///   - trusted: of whom one has to have signed it; nil where nobody has to.
  ///   - progress: is told the bytes read so far.
  /// - Returns: the archive.
  /// - Throws: ``ArchiveError``, and what `progress` throws.
  func intact(
    trusting trusted: Set<Ed25519.PublicKey>? = nil, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> IntactArchive {
    let report = try verify(trusting: trusted, progress: progress)
    guard let intact = report.intact else { throw ArchiveError.damaged(report.damage.first ?? .structure) }
    return intact
  }

  /// Every byte verified, then opened: what every command does that reads contents and restores nothing.
  ///
  /// The secrets are asked for only once the archive is known to be intact; where they open nothing, the error says
  /// what the slots are called. A differential archive's base is looked for with `bases`;
  /// nil where the history is not wanted, which then is closed.
  func opened(
    with secrets: @autoclosure () throws -> UnlockingSecrets, names: SlotNames = .none, bases: BaseFinder?,
    trusting trusted: Set<Ed25519.PublicKey>? = nil, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> OpenArchive {
    let intact = try intact(trusting: trusted, progress: progress)
    let unlocking = try secrets()
    return try names.explaining(self) {
      let alone = try intact.unlockAlone(with: unlocking)
      guard let bases else { return try alone.missingBase == nil ? alone.whole() : alone.withoutHistory() }
      return try alone.joined(with: unlocking, bases: bases.candidates) { bytes, _ in try progress(bytes) }
    }
  }
}
