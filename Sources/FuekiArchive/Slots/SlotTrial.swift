extension StoredArchive {
  /// Whether secrets open one of the slots, at the cost of one derivation.
  ///
  /// The keys must confirm the header, which proves that its maker had them. No other part of the archive is read or
  /// trusted.
  ///
  /// - Throws: as ``IntactArchive/unlock(with:allowance:plaintextLimit:)``, except for a wrong secret.
  public func opens(with secrets: UnlockingSecrets) throws(ArchiveError) -> Bool {
    do {
      _ = try unlockScopes(with: secrets, allowance: .standard)
      return true
    } catch .wrongSecret {
      return false
    } catch .forged(.confirmation) {
      return false
    }
  }
}
