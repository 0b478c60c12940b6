internal import ArgumentParser
internal import FuekiArchive

/// Public keys that will open an archive: recipients, and guardians.
struct SlotOptions: ParsableArguments {
  @Option(
    name: .withLetter(.recipient),
    help: ArgumentHelp(
      "An age recipient that opens the archive, or only these scopes. May be repeated.",
      valueName: "age1…[=scopes]"))
  var recipient: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file of recipients, one a line. May be repeated.", valueName: "file", visibility: .more),
    completion: .file())
  var recipientsFile: [String] = []

  @Option(
    help: ArgumentHelp(
      "The guardians' public file, from \"guardians split\"; \"none\" for no guardians.", valueName: "file",
      visibility: .more),
    completion: .file())
  var guardians: String?

  /// Whether the archive is to have no guardians, whatever earlier ones have.
  var excludesGuardians: Bool { guardians == "none" }

  /// Reads the keys that these options ask for, else the vault's; none of them needs a secret here.
  ///
  /// To be called once in a run, because a file may be a pipe.
  func keys(_ vault: VaultSettings = VaultSettings()) throws -> PublicKeys {
    let recipients = try recipients(vault)
    var seen: Set<String> = []
    for recipient in recipients where !seen.insert(recipient.text).inserted {
      throw CommandError.usage(
        "the recipient \(recipient.text) is there twice: name it once, with all its scopes")
    }
    let guardians = try excludesGuardians ? nil : (guardians ?? vault.guardians).map(GuardianFile.read)
    return PublicKeys(recipients: recipients, guardians: guardians)
  }

  private func recipients(_ vault: VaultSettings) throws -> [NamedRecipient] {
    guard !recipient.isEmpty || !recipientsFile.isEmpty else { return try vault.archiveRecipients() }
    let given = try recipient.map(NamedRecipient.init) + recipientsFile.flatMap(NamedRecipient.all)
    return given.map { $0.declared(vault.postQuantum) }
  }
}

/// The public keys that will open an archive.
struct PublicKeys {
  let recipients: [NamedRecipient]
  let guardians: GuardianSet?

  var slots: [NewSlot] {
    recipients.map { NewSlot($0.recipient, opening: $0.mask) } + (guardians.map { [.guardians($0)] } ?? [])
  }

  /// One line for each key.
  var lines: [String] { recipients.map(\.line) + (guardians.map { [$0.line] } ?? []) }

  /// Whether an age plugin seals to one of the recipients.
  var needPlugins: Bool { recipients.contains { $0.recipient.type == .agePlugin } }

  /// Returns whether the vault's next archives open with the recipients, too.
  ///
  /// Guardians stay from archive to archive.
  func areConfigured(in vault: VaultSettings) throws -> Bool {
    // A passphrase can be added even if the configured file cannot be read.
    guard !recipients.isEmpty else { return true }
    return try Set(recipients.map(\.line)).isSubset(of: vault.archiveRecipients().map(\.line))
  }
}
