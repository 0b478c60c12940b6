public import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

extension ArchiveToRestore {
  /// Returns the error to report if an archive does not open: for the newest, with the older archive to use instead.
  ///
  /// - Parameters:
  ///   - error: why the archive does not open.
  ///   - given: the secrets that were tried; nil if it failed before.
  /// - Returns: the error.
  /// - Throws: errors of the targets.
  public func failure(_ error: ArchiveError, openedWith given: UnlockingSecrets?) throws -> any Error {
    guard isLatest else { return error }
    if error == .wrongSecret { return try olderThatOpens(with: given) ?? error }
    return error.verdict == .wrongSecret ? error : try fallback(for: error)
  }

  /// Returns an error with the vault's newest archive that verifies and is as trusted.
  private func fallback(for error: ArchiveError) throws -> RestoreError {
    let entries = try targets.flatMap { try $0.entries() }
    let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: trust)
    let next = try entries.first { entry in
      guard ExactText(entry.path) != ExactText(path), let other = entry.archive,
        other.facts.vaultID == stored.facts.vaultID,
        other.facts.sequence <= stored.facts.sequence,
        ownerships[other] == .mine || ownerships[other] == ownership
      else { return false }
      let verification = Verification(trusted: trusted)
      let result = try verification.run(on: entry.path, known: { _ in nil })
      return result.verdict == .intact && result.missingBase == nil
    }
    return .newestFails(path: path, verdict: error.verdict, fallback: next?.path)
  }

  /// Searches for an older archive that opens, which shows that the given secrets are not mistyped.
  ///
  /// - Returns: nil if no older archive opens.
  private func olderThatOpens(with given: UnlockingSecrets?) throws -> RestoreError? {
    guard let given else { return nil }
    let acceptance = SignerAcceptance(secrets: given, asking: { _, _ in false })
    let older = siblings.filter { $0.facts.sequence < stored.facts.sequence }
    if let (one, _) = try acceptance.newestOpened(of: older, atMost: SignerLearning.mostTried) {
      let entries = try targets.flatMap { try $0.entries() }
      let path = entries.first { $0.archive?.statedDigest == one.statedDigest }?.path
      return .opensOlder(
        .init(
          below: self.path, name: path ?? one.statedDigest.shortID, sequence: one.facts.sequence,
          created: one.facts.created, above: siblings.count { $0.facts.sequence > one.facts.sequence }))
    }
    return nil
  }
}
