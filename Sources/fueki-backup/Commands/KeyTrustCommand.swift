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

  @Argument(
    help: ArgumentHelp("A signer's public key, its fueki-signer line, or a file of them.", valueName: "key"))
  var key: String?
  @Flag(help: "Stop accepting this signer.")
  var forget = false
  @Flag(help: "Also accept the unsigned archives in the targets, from before the vault had a signer.")
  var archives = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !forget || key != nil && !archives else {
      throw ValidationError("--forget takes the key of the signer, and nothing else")
    }
  }

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    let targets = targets.targets(loaded)
    let ofStore = try vaultOfStore(loaded)
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let signers = try key.map { try TrustOptions.signers($0, configuration) } ?? []
    let vault =
      try configuration.meantVaultID ?? ofStore ?? onlyVault(in: targets, signedBy: signers.map(\.publicKey))
    guard !signers.isEmpty || archives else {
      return print(try TrustOptions.trust(configuration).of(vault), vault, console)
    }
    let state = try lock.take("key trust", output)
    var known = try state.directory.vault(vault)
    if forget {
      for signer in signers { known.forget(signer: signer.publicKey) }
    } else {
      known.accept(signers: signers.map(\.publicKey))
    }
    let unsigned = archives ? try unsigned(of: vault, targets) : []
    known.accept(unsigned: unsigned)
    try state.keep(known, of: vault)
    if archives { console.report("accepted \(unsigned.count) unsigned archives") }
    print(try TrustOptions.trust(configuration).of(vault), vault, console)
  }

  /// The vault in the data directory; nil if it is not needed, or has none.
  private func vaultOfStore(_ configuration: Configuration) throws -> VaultID? {
    guard configuration.meant?.id == nil else { return nil }
    if let id = try configuration.vault().id { return id }
    return (try? data.path(configuration)).flatMap { StoreIDs.read([$0])[ExactText($0)] }
  }

  /// The only vault with an archive that a given key signed, or else the only vault in the targets.
  private func onlyVault(in targets: [Target], signedBy keys: [Ed25519.PublicKey]) throws -> VaultID {
    let archives = try targets.flatMap { try $0.entries() }.compactMap(\.archive)
    let signed = archives.filter { $0.isSigned(byOneOf: Set(keys)) }
    let found = Set((signed.isEmpty ? archives : signed).map(\.facts.vaultID))
    guard found.count == 1, let id = found.first else {
      throw CommandError.usage("which vault? use --datadir, a --target with its archives alone, or --vault")
    }
    return id
  }

  private func unsigned(of vault: VaultID, _ targets: [Target]) throws -> [Digest] {
    try targets.flatMap { try $0.entries() }.compactMap(\.archive)
      .filter { $0.facts.vaultID == vault && $0.facts.signer == nil }.compactMap(\.provenDigest)
  }

  private func print(_ trust: VaultTrust, _ vault: VaultID, _ console: Console) {
    let signers = trust.signers.sorted()
    guard !output.json else {
      return Document.write(
        KeyTrustDocument(vault: vault.hex, signers: signers.map(KeyTrustDocument.Signer.init)))
    }
    console.line("vault \(vault.hex)")
    for signer in signers {
      console.line("signer \(signer.hex)")
      console.line("  fingerprint \(signer.fingerprint)")
    }
    if signers.isEmpty { console.line("no signer is accepted on this machine") }
  }
}

/// `key trust --json`.
struct KeyTrustDocument: Encodable {
  struct Signer: Encodable {
    let key: String
    let fingerprint: String

    init(_ key: Ed25519.PublicKey) {
      self.key = key.hex
      fingerprint = key.fingerprint
    }
  }

  let schema = "fueki.key-trust/1"
  let vault: String
  let signers: [Signer]
}
