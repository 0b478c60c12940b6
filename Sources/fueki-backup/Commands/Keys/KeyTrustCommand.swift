internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
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
    try TrustedSignerLines.show(vault, TrustOptions.trust(configuration), console, isJSON: output.json)
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

/// `key retire`: a key whose signature makes no archive this vault's any more.
struct KeyRetireCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retire", abstract: "No longer accept a signer of the vault, as after its key was stolen.",
    discussion:
      "No archive and no configuration brings it back; \"key trust KEY\" does. Do it on every machine.")

  @Argument(help: .signers("signer"))
  var signer: String
  @OptionGroup var chosen: SignedVaultOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try chosen.settings.load()
    let ofStore = try chosen.ofStore(loaded)
    let configuration = try sandbox.enter(chosen.needs(files: [signer], loaded), loaded, console)
    let signers = try TrustOptions.signers(
      signer, configuration,
      forms: "key retire takes 64 hex digits, a fueki-signer line, or a file of such lines")
    let vault = try chosen.vault(configuration, ofStore: ofStore, signedBy: signers)
    let keys = Set(signers.map(\.publicKey))
    let state = try lock.take("key retire", output)
    var known = try state.directory.vault(vault)
    known.retire(signers: keys)
    try state.keep(known, of: vault)
    if try state.directory.retireSigningKey(of: vault, among: keys) {
      console.note("this machine's own key was one of them: the next \"create\" makes another")
    }
    try TrustedSignerLines.show(vault, TrustOptions.trust(configuration), console, isJSON: output.json)
  }
}

/// The vault whose signers a command changes, and where it looks for it.
struct SignedVaultOptions: ParsableArguments {
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions

  /// The vault in the data directory; nil if it is not needed, or has none.
  func ofStore(_ configuration: Configuration) throws -> VaultID? {
    guard configuration.meant?.id == nil else { return nil }
    if let id = try configuration.vault().id { return id }
    return (try? data.path(configuration)).flatMap { StoreIDs.read([$0])[ExactText($0)] }
  }

  /// Returns the configured vault, else that of the store, else the only one in the targets that the keys name.
  func vault(
    _ configuration: Configuration, ofStore: VaultID?, signedBy signers: [Signer]
  ) throws -> VaultID {
    if let id = configuration.meantVaultID ?? ofStore { return id }
    return try onlyVault(in: targets.targets(configuration), signedBy: Set(signers.map(\.publicKey)))
  }

  /// The only vault with an archive that a given key signed, or else the only vault in the targets.
  private func onlyVault(in targets: [Target], signedBy keys: Set<Ed25519.PublicKey>) throws -> VaultID {
    let archives = try targets.flatMap { try $0.entries() }.compactMap(\.archive)
    let signed = archives.filter { $0.isSigned(byOneOf: keys) }
    let found = Set((signed.isEmpty ? archives : signed).map(\.facts.vaultID))
    guard found.count == 1, let id = found.first else {
      throw CommandError.usage("which vault? use --datadir, a --target with its archives alone, or --vault")
    }
    return id
  }

  /// The needs of a command that changes signers.
  func needs(
    _ archives: [String] = [], files: [String?], _ configuration: Configuration
  ) -> SandboxNeeds {
    var needs = SandboxNeeds(archives, targets, nil, configuration)
    needs.readable += files.compactMap(\.self)
    needs.keepState()
    return needs
  }
}

/// The signers that count on this machine, as lines and as a document.
enum TrustedSignerLines {
  /// - Throws: ``StateError/damaged(path:)``.
  static func show(_ vault: VaultID, _ trust: Trust, _ console: Console, isJSON: Bool) throws {
    let trust = try trust.of(vault)
    let (signers, retired) = (trust.signers.sorted(), trust.retired.sorted())
    guard !isJSON else {
      let document = { (key: Ed25519.PublicKey) -> Members in
        ["key": key.hex, "fingerprint": key.fingerprint]
      }
      return Document.write([
        "schema": "fueki.key-trust/1", "vault": vault.hex, "signers": signers.map(document),
        "retired": retired.map(document),
      ])
    }
    console.line("vault \(vault.hex)")
    for (name, keys) in [("signer", signers), ("retired", retired)] {
      for key in keys {
        console.line("\(name) \(key.hex)")
        console.line("  fingerprint \(key.fingerprint)")
      }
    }
    if signers.isEmpty { console.line("no signer is accepted on this machine") }
  }
}
