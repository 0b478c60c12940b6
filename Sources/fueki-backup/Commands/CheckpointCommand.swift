internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCodes
internal import FuekiCrypto
internal import FuekiSystem

/// `checkpoint`: prints a vault's newest archive, to keep elsewhere.
struct CheckpointCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checkpoint",
    abstract: "Make a signed statement of a vault's newest archive, as text or a QR code.",
    subcommands: [CheckpointExport.self])
}

/// `checkpoint export`: one signed line, and the same as a QR code.
struct CheckpointExport: ParsableCommand, SealingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Sign a statement of an archive's place in its vault.",
    discussion: "verify --checkpoint and restore --checkpoint take it, in CI or on a new machine.")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp("Write the line to this file, replacing an older one.", valueName: "file"),
    completion: .file())
  var file: String?
  @Flag(help: "Show it as a QR code on the terminal too.")
  var qr = false
  @Option(
    help: ArgumentHelp("Write the QR code to this file, as a picture.", valueName: "file"),
    completion: .file())
  var svg: String?
  @OptionGroup var trust: TrustOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var accepted: ConsentOptions<SealingConsents>
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  var consents: Consents { accepted.consents }

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    let vault = try loaded.vault()
    _ = try signing.passphrase.source(.signing).given(console)
    let configuration = try sandbox.enter(needs(vault, loaded), loaded, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    // A signature under a stranger's archive would make the vault's own seem old for ever.
    try found.checkMine()
    guard let key = try signing.key(vault, of: found.stored.facts.vaultID, console) else {
      throw CommandError.usage(
        "a checkpoint is signed: use --sign-key, or name a sign_key in the configuration")
    }
    let intact = try found.stored.intact(trusting: found.trusted)
    try check(intact, key, found)
    let checkpoint = try SignedCheckpoint(intact.facts, digest: intact.digest, signedWith: key)
    if let file { try OutputFile.write(checkpoint.line + "\n", to: file, existing: .replaced) }
    // In upper case a code takes two fifths less room.
    let code = try qr || svg != nil ? QRCode(checkpoint.line.uppercased()) : nil
    if let code, let svg {
      let title = "Checkpoint of archive \(checkpoint.sequence), \(checkpoint.digest.shortID)"
      try OutputFile.write(QRDrawing.svg(code, title: title), to: svg, existing: .replaced)
    }
    guard !output.json else {
      return Document.write([
        "schema": "fueki.checkpoint/1",
        "line": checkpoint.line,
        "vault": checkpoint.vaultID.hex,
        "sequence": checkpoint.sequence,
        "digest": checkpoint.digest.hex,
        "created": Times.text(checkpoint.created),
        "signer": checkpoint.signer.hex,
        "fingerprint": checkpoint.signer.fingerprint,
      ])
    }
    if file == nil { console.verbatim(checkpoint.line) }
    console.note("signed by \(checkpoint.signer.fingerprint)")
    if qr, let code { console.page(QRDrawing.text(code)) }
  }

  /// Refuses to sign an archive that is known to be old or not the user's: such a statement would be false.
  private func check(_ archive: IntactArchive, _ key: SigningKey, _ found: FoundArchive) throws {
    let signers = try found.trust.of(archive.facts.vaultID).signers
    guard archive.facts.signer == nil || signers.contains(key.publicKey) else {
      throw ArchiveError.untrusted(.another)
    }
    let known = try found.known
    try VaultLineage.judge(archive.facts, digest: archive.digest, known: known)
  }
}
