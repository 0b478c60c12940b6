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
  @Flag(help: "Also accept the unsigned archives in the targets, from before the vault had a signer.")
  var archives = false
  @OptionGroup var chosen: SignedVaultOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try chosen.settings.load()
    let ofStore = try chosen.ofStore(loaded)
    let configuration = try sandbox.enter(chosen.needs(key, loaded), loaded, console)
    let signers = try key.map { try TrustOptions.signers($0, configuration) } ?? []
    let vault = try chosen.vault(configuration, ofStore: ofStore, signedBy: signers)
    guard !signers.isEmpty || archives else { return try show(vault, configuration, console) }
    let state = try lock.take("key trust", output)
    var known = try state.directory.vault(vault)
    known.trust(signers: signers.map(\.publicKey))
    let unsigned = archives ? try unsigned(of: vault, configuration) : []
    known.accept(unsigned: unsigned)
    try state.keep(known, of: vault)
    if archives { console.report("accepted \(unsigned.count) unsigned archives") }
    try show(vault, configuration, console)
  }

  private func show(_ vault: VaultID, _ configuration: Configuration, _ console: Console) throws {
    try KeyTrustDocument(vault, TrustOptions.trust(configuration)).show(console, isJSON: output.json)
  }

  private func unsigned(of vault: VaultID, _ configuration: Configuration) throws -> [Digest] {
    try chosen.targets.targets(configuration).flatMap { try $0.entries() }.compactMap(\.archive)
      .filter { $0.facts.vaultID == vault && $0.facts.signer == nil }.compactMap(\.provenDigest)
  }
}
