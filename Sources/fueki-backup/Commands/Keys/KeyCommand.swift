internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `key`: what opens an archive, and changes to it.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "List and change what opens an archive.",
    discussion:
      "A change makes the vault's next archive. Older archives keep their old keys. See fueki-backup-key(1).",
    subcommands: [
      KeyListCommand.self, KeyAddCommand.self, KeyRemoveCommand.self, KeyChangePassphraseCommand.self,
      KeyNewSigner.self, KeyNewIdentity.self, KeyTrustCommand.self, KeyRetireCommand.self,
      KeySignCommand.self,
    ])
}

/// `key add`: one more way to open the vault's newest archive.
struct KeyAddCommand: ParsableCommand, SealingCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a passphrase, a recipient, or guardians.")

  @OptionGroup var change: KeyChangeOptions
  @OptionGroup var recipients: SlotOptions
  @OptionGroup var passphrase: NewPassphraseOptions

  var consents: Consents { passphrase.consents.consents }

  func run() throws {
    let console = change.output.console
    let others = try recipients.keys()
    let loaded = try change.settings.load()
    let vault = try loaded.vault()
    let areConfigured = try others.areConfigured(in: vault)
    try passphrase.readCommand(console)
    let subject = try change.subject(loaded, console) { needs in
      needs.readable += passphrase.files
      needs.hasPlugins = needs.hasPlugins || others.needPlugins
    }
    let kept = try change.kept(subject)
    let new = try passphrase.read(console, vault, of: subject.open, isNeeded: others.slots.isEmpty)
    try change.seal(subject, opening: kept + (new.map { [$0.slot()] } ?? []) + others.slots, console) {
      guard new != nil || !areConfigured else { return }
      console.warning(
        "only this archive opens with the new key: the next \"fueki-backup create\" makes one with the keys that "
          + "\"fueki-backup key list\" shows. To keep the key, add it to recipients or guardians in the configuration"
      )
    }
  }
}

/// `key remove`: one way less to open the vault's next archives.
struct KeyRemoveCommand: ParsableCommand, SealingCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove some of the archive's keys.")

  @OptionGroup var change: KeyChangeOptions
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The numbers of the slots to remove, as \"key list\" shows them.", valueName: "n"))
  var slot: [Int]
  @OptionGroup var accepted: ConsentOptions<SealingConsents>

  var consents: Consents { accepted.consents }

  func run() throws {
    let console = change.output.console
    let subject = try change.subject(change.settings.load(), console)
    for number in slot where !subject.slots.contains(where: { $0.number == number }) {
      throw CommandError.usage("there is no slot \(number) to remove")
    }
    let kept = try change.kept(subject, without: Set(slot))
    guard !kept.isEmpty else {
      throw CommandError.usage("the last slot cannot be removed: no key would open the archive")
    }
    try change.seal(subject, opening: kept, console) {
      console.warning(
        "the next \"fueki-backup create\" makes an archive with the keys that \"fueki-backup key list\" shows: if "
          + "the removed one is among them, remove it from the configuration, too")
    }
  }
}

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
      return Document.write([
        "schema": "fueki.key-sign/1", "path": path, "publicKey": publicKey, "signer": key.publicKey.hex,
      ])
    }
    console.report(path)
    console.note("minisign -V -m \(parts.name) -P \(publicKey)    verifies it")
  }
}
