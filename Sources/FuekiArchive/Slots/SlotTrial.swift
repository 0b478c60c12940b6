extension StoredArchive {
  /// Whether secrets open one of the slots, at the price of one derivation; nothing else of the archive is looked at,
  /// or believed.
  ///
  /// - Throws: as ``IntactArchive/unlock(with:allowance:plaintextLimit:)``, but for a wrong secret.
  public func opens(with secrets: UnlockingSecrets) throws(ArchiveError) -> Bool {
    do {
      _ = try UnlockedKeys.unlock(header, with: secrets, allowance: .standard)
      return true
    } catch .wrongSecret {
      return false
    }
  }
}
