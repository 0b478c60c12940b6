internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `key sign`: a signature over a list of digests or of expected vaults, which minisign verifies.
struct KeySignCommand: ParsableCommand, SealingCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a list of digests or of expected vaults with the key that signs archives.",
    discussion: "The signature goes next to the file, in a file .minisig, which minisign -V verifies.")

  private static let byteLimit = ExpectedVaultsFile.byteLimit

  @Argument(
    help: ArgumentHelp(
      "A SHA256SUMS whose first line is \"# fueki/1 SHA256SUMS\", or a list for \"status --expected\".",
      valueName: "file"),
    completion: .file())
  var file: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var accepted: ConsentOptions<SealingConsents>
  @OptionGroup var output: OutputOptions

  var consents: Consents { accepted.consents }

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    let bytes = try File.openRegular(file).readAll(limit: Self.byteLimit)
    // Everything else that the key signs begins differently, so that an archive's header cannot be signed as a file.
    guard FileSignature.labels.contains(where: { bytes.starts(with: $0.utf8) }) else {
      let lines = FileSignature.labels.map { "\"\($0.dropLast())\"" }.joined(separator: " or ")
      throw CommandError.usage(
        "\(file) is not signed: its first line must be \(lines), so that what is signed here is never taken for an "
          + "archive")
    }
    guard
      let key = try signing.key(
        configuration.meant ?? VaultSettings(), of: configuration.meantVaultID, console)
    else { throw CommandError.usage("which key? use --sign-key FILE") }
    let parts = PathParts(file)
    let comment = FileSignature.comment(
      name: parts.name, time: UInt64(max(0, SystemClock.now) / 1_000_000))
    let text = try FileSignature.sign(bytes, comment: comment, with: key)
    let path = "\(file).minisig"
    try Directory.open(parts.folder).writeWhole(
      [UInt8](text.utf8), as: "\(parts.name).minisig", permissions: 0o644, replacing: true)
    let publicKey = key.publicKey.minisignText
    guard !output.json else {
      return Document.write(
        KeySignDocument(path: path, publicKey: publicKey, signer: key.publicKey.hex))
    }
    console.report(path)
    console.note("minisign -V -m \(parts.name) -P \(publicKey)    verifies it")
  }
}

/// `key sign --json`.
struct KeySignDocument: Encodable {
  let schema = "fueki.key-sign/1"
  let path: String
  let publicKey: String
  let signer: String
}
