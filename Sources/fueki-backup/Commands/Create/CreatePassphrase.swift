internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

extension CreateCommand {
  /// Returns the requirements for the archive's passphrase.
  ///
  /// A passphrase that opens the vault's newest archive is not new: a backup at night must not fail because the
  /// estimate has become stricter. If the newest archive cannot be inspected, a vault with archives still gets its
  /// backup.
  func passphraseRule(
    _ sources: SourceList, _ vault: VaultSettings, known: VaultState.Link?, _ targets: [Target]
  ) -> PassphraseRule {
    PassphraseRule(
      cost.cost(vault), allowsWeak: consents.contains(.weakPassphrase),
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

/// A vault's passphrase, typed by the user and common to all of its archives.
///
/// A user who mistypes it twice alike, or uses another one's, would have a backup that no known passphrase opens.
struct VaultPassphrase {
  let source: SecretSource
  let keyFiles: [SharedSecret]
  /// The newest archive that this machine knows of the vault.
  let known: VaultState.Link?
  let targets: [Target]
  /// Whether to accept a new passphrase.
  let acceptsNew: Bool
  /// The configured file that the passphrase may come from; nil if an option names another place.
  let stored: StoredPassphrase?

  /// A passphrase, and the digest of the archive that it opened; nil if none was tried.
  struct Answer {
    let secret: SharedSecret
    var opened: Digest?
  }

  /// Returns the given passphrase, or asks: once if the last archive can check it, else twice.
  ///
  /// - Throws: ``CommandError/notVaultsPassphrase`` if the typed one does not open the last archive.
  func read(_ rule: PassphraseRule, _ console: Console) throws -> Answer {
    if let answer = try given(rule, console) { return answer }
    guard known != nil, !acceptsNew, Terminal.isAvailable else {
      return Answer(secret: try source.readNew(console, rule))
    }
    guard let last else {
      console.warning(
        "the vault's last archive is not in reach, so nothing tells whether this passphrase is the vault's")
      return Answer(secret: try source.readNew(console, rule))
    }
    guard asksForPassphrase(last) else { return Answer(secret: try source.readNew(console, rule)) }
    var right: SharedSecret?
    let answer = try source.read(console) { typed in
      guard try opens(last, with: typed) else { return false }
      right = typed
      return true
    }
    // The third was not tried yet.
    right = try right ?? answer.reading { try opens(last, with: $0) }?.secret
    guard let typed = right else { throw CommandError.notVaultsPassphrase }
    // It is already in use, so its weakness is only reported.
    let used = PassphraseRule(rule.cost, allowsWeak: true, names: rule.names())
    _ = try used.admit(typed, console)
    return Answer(secret: typed, opened: last.computedDigest)
  }

  /// Returns a passphrase provided without asking: an absent user cannot be asked again.
  ///
  /// - Throws: ``CommandError/notVaultsPassphrase`` if it does not open the last archive: a timer with an outdated
  ///   passphrase would seal archives that its owner cannot open with the current one.
  func given(_ rule: PassphraseRule, _ console: Console) throws -> Answer? {
    stored?.removeAbandoned()
    guard let given = try source.given(console) else { return nil }
    guard !acceptsNew, known != nil, let last, asksForPassphrase(last) else {
      _ = try rule.admit(given.secret, console)
      return Answer(secret: given.secret)
    }
    let right = try given.reading { try opens(last, with: $0) }
    if right == nil, let finished = try stored?.finishChange(of: last, keyFiles: keyFiles) {
      console.warning(
        "a change of the passphrase was cut off after its archive was made; \(stored?.path ?? "") has the new "
          + "passphrase now")
      return Answer(secret: finished, opened: last.computedDigest)
    }
    _ = try rule.admit((right ?? given).secret, console)
    guard let right else { throw CommandError.notVaultsPassphrase }
    if right.isExact {
      // Another one for a night's backup would leave the vault with two, of which a kit names one.
      console.warning(
        "the vault's archives open only with the byte order mark or carriage return in the passphrase's file, which "
          + "cannot be typed. The backup goes on with it. Change it with \"fueki-backup key change-passphrase\""
      )
    }
    return Answer(secret: right.secret, opened: last.computedDigest)
  }

  private func opens(_ archive: StoredArchive, with passphrase: SharedSecret) throws -> Bool {
    try archive.opens(with: UnlockingSecrets(passphrases: [passphrase], keyFiles: keyFiles))
  }

  /// The last archive that this machine knows, if a target has it.
  ///
  /// Remotes are slow, so they are read only if no folder has it.
  private var last: StoredArchive? {
    lastInFolders ?? last(in: targets.filter { $0.kind == .rclone })
  }

  /// The last archive that this machine knows, if a folder has it.
  var lastInFolders: StoredArchive? {
    known == nil ? nil : last(in: targets.filter { $0.kind != .rclone })
  }

  private func last(in targets: [Target]) -> StoredArchive? {
    targets.lazy.flatMap { (try? $0.entries()) ?? [] }.compactMap(\.archive)
      .first { $0.statedDigest.hex == known?.digest }
  }

  private func asksForPassphrase(_ archive: StoredArchive) -> Bool {
    let needed: SlotType = keyFiles.isEmpty ? .passphrase : .passphraseAndKeyFile
    return archive.slots.contains { $0.type == needed }
  }
}
