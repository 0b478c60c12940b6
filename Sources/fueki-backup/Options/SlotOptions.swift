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

  /// The files that name the keys.
  var files: [String] { recipientsFile + [guardians].compactMap(\.self) }

  /// Whether an age plugin seals to one of the recipients.
  var runPlugins: Bool {
    ((try? recipients(VaultSettings())) ?? []).contains { $0.recipient.type == .agePlugin }
  }

  /// Whether the archive is to have no guardians, whatever earlier ones have.
  var excludesGuardians: Bool { guardians == "none" }

  /// The slots that these options ask for, else the vault's; none of them needs a secret here.
  func slots(_ vault: VaultSettings = VaultSettings()) throws -> [NewSlot] {
    let recipients = try recipients(vault)
    var seen: Set<String> = []
    for recipient in recipients where !seen.insert(recipient.text).inserted {
      throw CommandError.usage(
        "the recipient \(recipient.text) is there twice: name it once, with all its scopes")
    }
    let sealed = recipients.map { NewSlot($0.recipient, opening: $0.mask) }
    return sealed + (try guardianSet(vault).map { [.guardians($0)] } ?? [])
  }

  /// Returns one line for each recipient of an archive with these options, as far as no secret is needed.
  func publicLines(_ vault: VaultSettings) throws -> [String] {
    try recipients(vault).map(\.line) + (guardianSet(vault).map { [$0.line] } ?? [])
  }

  /// Whether the vault's next archives open with these keys, too.
  func areConfigured(in vault: VaultSettings) throws -> Bool {
    let listed = try vault.recipientsFile.map(NamedRecipient.all) ?? []
    let recipients = try (vault.recipients.map(NamedRecipient.init) + listed).map(\.line)
    // Guardians stay from archive to archive.
    return try Set(self.recipients(VaultSettings()).map(\.line)).isSubset(of: recipients)
  }

  /// Whether the owner's own keys, and not only the policy's, open the archive.
  ///
  /// The files are not read: each names at least one recipient, and a pipe can be read only once.
  func includeOwnKeys(_ vault: VaultSettings) -> Bool {
    isGiven || !vault.recipients.isEmpty || vault.recipientsFile != nil
      || (!excludesGuardians && (guardians ?? vault.guardians) != nil)
  }

  /// Whether these options name recipients.
  private var isGiven: Bool { !recipient.isEmpty || !recipientsFile.isEmpty }

  private func recipients(_ vault: VaultSettings) throws -> [NamedRecipient] {
    let named = try (isGiven ? recipient : vault.recipients).map(NamedRecipient.init)
    let listed = try (isGiven ? recipientsFile : vault.recipientsFile.map { [$0] } ?? [])
      .flatMap(NamedRecipient.all)
    let own = (named + listed).map { $0.declared(vault.postQuantum) }
    return isGiven ? own : own + (vault.policy?.recipients(besides: own) ?? [])
  }

  private func guardianSet(_ vault: VaultSettings) throws -> GuardianSet? {
    try excludesGuardians ? nil : (guardians ?? vault.guardians).map(GuardianFile.read)
  }
}

/// A slot that the configuration asks for, and whose it will be.
struct PlannedSlot {
  let type: SlotType
  /// For a plugin's slot, as configured: the plugin is not asked.
  let isForTheLongTerm: Bool
  let holder: String
  let mask: ScopeMask

  /// The scopes in a few words.
  var sentence: String {
    mask == .all ? "everything" : mask.scopes.map(\.name).joined(separator: ", ")
  }
}

extension SlotOptions {
  /// The slots of a vault's next archives, as far as no passphrase is given.
  ///
  /// - Parameters:
  ///   - vault: the vault's configuration.
  ///   - staying: the guardians that open them as they open the last one, unless the configuration lists others.
  /// - Returns: the slots, in their order.
  /// - Throws: errors from reading the files that the configuration names.
  static func planned(_ vault: VaultSettings, staying: GuardianSet? = nil) throws -> [PlannedSlot] {
    let listed = try vault.recipientsFile.map(NamedRecipient.all) ?? []
    let own = (try vault.recipients.map(NamedRecipient.init) + listed)
      .map { $0.declared(vault.postQuantum) }
    let recipients = own + (vault.policy?.recipients(besides: own) ?? [])
    let slots = recipients.map { recipient in
      PlannedSlot(
        type: recipient.recipient.type, isForTheLongTerm: recipient.recipient.isForTheLongTerm,
        holder: recipient.text, mask: recipient.mask)
    }
    guard let guardians = try vault.guardians.map(GuardianFile.read) ?? staying else { return slots }
    let origin = vault.guardians ?? "as in the last archive"
    let holder = "\(guardians.sentence) (\(origin))"
    return slots + [
      PlannedSlot(
        type: guardians.type, isForTheLongTerm: guardians.isForTheLongTerm, holder: holder, mask: .all)
    ]
  }
}
