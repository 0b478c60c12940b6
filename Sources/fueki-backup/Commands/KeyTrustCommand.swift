internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// `key trust`: whose signature makes an archive this vault's.
struct KeyTrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust", abstract: "Accept a signer of the vault on this machine, or list them.",
    discussion: "First compare the fingerprint with the recovery kit or with the other machine.")

  @Argument(help: .signers("key"))
  var key: String?
  @Option(
    help: ArgumentHelp(
      "Accept this archive, a path or a short id, if the passphrase is its only key. May be repeated.",
      valueName: "archive"), completion: .file())
  var archive: [String] = []
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var chosen: SignedVaultOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try chosen.settings.load()
    let ofStore = try chosen.ofStore(loaded)
    if !archive.isEmpty { _ = try passphrase.source.given(console) }
    let files = [key, passphrase.source.path, passphrase.keyFile]
    let configuration = try sandbox.enter(chosen.needs(archive, files: files, loaded), loaded, console)
    let signers = try key.map { try TrustOptions.signers($0, configuration) } ?? []
    let found = try archive.map { try look(for: $0, configuration) }
    let vault =
      try found.first?.stored.facts.vaultID
      ?? chosen.vault(configuration, ofStore: ofStore, signedBy: signers)
    guard !signers.isEmpty || !found.isEmpty else { return try show(vault, configuration, console) }
    let state = try lock.take("key trust", output)
    var known = try state.directory.vault(vault)
    known.trust(signers: signers.map(\.publicKey))
    for one in found { try accept(one, of: vault, &known, configuration, console) }
    try state.keep(known, of: vault)
    for one in found { console.report("accepted archive \(one.stored.facts.sequence): \(one.path)") }
    try show(vault, configuration, console)
  }

  private func show(_ vault: VaultID, _ configuration: Configuration, _ console: Console) throws {
    try KeyTrustDocument(vault, TrustOptions.trust(configuration)).show(console, isJSON: output.json)
  }

  private func look(
    for name: String, _ configuration: Configuration
  ) throws -> (path: String, stored: StoredArchive) {
    let finder = ArchiveFinder(
      targets: chosen.targets.targets(configuration), trust: try TrustOptions.trust(configuration))
    let path = try finder.path(of: name)
    return (path, try StoredArchive(at: path))
  }

  /// Accepts what an archive proves: anyone can make one that a recipient's key opens.
  private func accept(
    _ found: (path: String, stored: StoredArchive), of vault: VaultID, _ known: inout VaultState,
    _ configuration: Configuration, _ console: Console
  ) throws {
    let stored = found.stored
    guard stored.facts.vaultID == vault else {
      throw CommandError.usage("\(found.path) is of vault \(stored.facts.vaultID.hex), not of \(vault.hex)")
    }
    var trust = try TrustOptions.trust(configuration)
    trust.remember(known, of: vault)
    guard try !stored.isSigned(byOneOf: trust.of(vault).signers) else { return }
    guard SignerLearning.hasOnlyPassphrase(stored) else { throw Self.unproved(found.path) }
    let open = try stored.opened(
      with: UnlockingSecrets(
        passphrases: passphrase.source.read(console).all, keyFiles: passphrase.keyFiles()),
      names: configuration.slotNames(of: stored), bases: nil)
    guard let learned = try SignerLearning(from: open, others: [], open: { _ in nil }) else {
      throw Self.unproved(found.path)
    }
    known.accept(learned)
  }

  private static func unproved(_ path: String) -> Failure {
    Failure(
      .untrusted,
      "\(path) is not accepted: it has other keys than a passphrase, and no signer of the vault signed it",
      meaning: "anyone with a public key of yours can make such an archive. Nothing was accepted",
      hint: "if you made it, type its signer from your recovery kit: fueki-backup key trust KEY")
  }
}
