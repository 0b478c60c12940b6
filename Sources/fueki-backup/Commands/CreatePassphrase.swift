internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

extension CreateCommand {
  /// What the archive's passphrase has to withstand.
  ///
  /// One that opens the vault's newest archive is not chosen now: a backup at night must not fail because an estimate
  /// has become stricter. Where the newest cannot be looked at, a vault that has archives is given its backup.
  func passphraseRule(
    _ sources: SourceList, _ vault: VaultSettings, known: VaultState.Link?, _ targets: [Target]
  ) -> PassphraseRule {
    PassphraseRule(
      cost.cost(vault), allowsWeak: allowWeakPassphrase,
      names: KnownNames.of(vault, label: label) + sources.knownNames()
    ) { passphrase in
      guard let known else { return false }
      let newest = targets.flatMap { (try? $0.entries()) ?? [] }.compactMap(\.archive).filter {
        $0.statedDigest.hex == known.digest
      }
      let given = UnlockingSecrets(passphrases: [passphrase], keyFiles: (try? secrets.keyFiles()) ?? [])
      return newest.isEmpty || newest.contains { (try? $0.opens(with: given)) ?? true }
    }
  }
}
