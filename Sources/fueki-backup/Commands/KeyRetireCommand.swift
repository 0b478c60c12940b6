internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

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
    try KeyTrustDocument(vault, TrustOptions.trust(configuration)).show(console, isJSON: output.json)
  }
}
