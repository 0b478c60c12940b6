internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `key list`: an archive's slots, with a secret also which of them it opens; or those of the next archives.
struct KeyListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List what opens an archive, or will open the next, and which scopes.")

  @Argument(
    help: ArgumentHelp(
      "A path, a short id, or \"latest\". Without it, the keys of the configuration's next archives.",
      valueName: "archive"), completion: .file())
  var archive: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    guard let archive else { return try list(try loaded.vault(), loaded, console) }
    try secrets.readGiven(console)
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    try found.checkDemanded()
    try found.checkNewest()
    let stored = found.stored
    let names = configuration.slotNames(of: stored)
    var opened: [Int]?
    if let unlocking = try secrets.unlockingWithoutAsking(console) {
      opened = try stored.opened(with: unlocking, names: names, bases: nil).openedSlots
    }
    let longTerm = LongTerm(stored, base: found.bases.structure)
    guard !output.json else {
      return Document.write([
        "schema": "fueki.key/1", "archive": found.path, "id": stored.statedDigest.hex,
        "slots": stored.slots.documents(names, opened: opened), "longTerm": longTerm.document,
      ])
    }
    for slot in stored.slots {
      let mark = opened.map { $0.contains(slot.number) ? "  opened" : "  closed" } ?? ""
      console.line("\(names.label(slot.number, of: stored.slots.count))  \(slot.sentence)\(mark)")
    }
    console.line("sealed for the long term: \(longTerm.sentence)")
  }

  /// Lists the configuration's slots for a vault's next archives.
  private func list(_ vault: VaultSettings, _ configuration: Configuration, _ console: Console) throws {
    let slots = try vault.plannedSlots(staying: StayingGuardians.of(vault, configuration))
    let names = SlotNames(vault.slotNames)
    let longTerm = LongTerm(slots.map(\.isForTheLongTerm))
    guard !output.json else {
      return Document.write([
        "schema": "fueki.key/1",
        "configuration": configuration.path,
        "slots": slots.enumerated().map { index, slot in
          [
            "name": names[index + 1, of: slots.count], "type": slot.type.name, "holder": slot.holder,
            "opens": slot.mask.scopes.map(\.name),
          ] as Members
        },
        "longTerm": longTerm.document,
      ])
    }
    for (index, slot) in slots.enumerated() {
      let name = names[index + 1, of: slots.count].map { " (\($0))" } ?? ""
      console.line("\(slot.type.name)\(name)  \(slot.holder), opens \(slot.sentence)")
    }
    let name = names[1, of: 1].map { " (\($0))" } ?? ""
    if !vault.isSealedToKeys { console.line("passphrase\(name)  asked for, or given, at each create") }
    console.line("sealed for the long term: \(longTerm.sentence)")
  }
}

extension SlotSummary {
  /// The slot in a few words: its type, its scopes, and its peculiarities.
  var sentence: String {
    let scopes = mask == .all ? "everything" : mask.scopes.map(\.name).joined(separator: ", ")
    let detail =
      guardians.map { ", \($0.threshold) of \($0.shareTags.count) shares" }
      ?? cost.map { ", Argon2id \($0.memoryKiB >> 10) MiB × \($0.passes)" } ?? ""
    return "\(type.name)\(detail), opens \(scopes)"
  }
}

extension [SlotSummary] {
  /// The slots in JSON, with those that a secret opened where one was given.
  func documents(_ names: SlotNames = .none, opened: [Int]? = nil) -> [Members] {
    map { slot in
      [
        "number": slot.number,
        "name": names[slot.number, of: count],
        "type": slot.type.name,
        "opens": slot.mask.scopes.map(\.name),
        "threshold": slot.guardians?.threshold,
        "count": slot.guardians?.shareTags.count,
        "opened": opened.map { $0.contains(slot.number) },
      ]
    }
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

extension VaultSettings {
  /// Returns the recipients of the vault's next archives.
  func archiveRecipients() throws -> [NamedRecipient] {
    let listed = try recipientsFile.map(NamedRecipient.all) ?? []
    return try (recipients.map(NamedRecipient.init) + listed).map { $0.declared(postQuantum) }
  }

  /// Plans the slots of the vault's next archives, as far as no passphrase is given.
  ///
  /// The guardians that open the last archive stay, unless the configuration lists others.
  func plannedSlots(staying: GuardianSet? = nil) throws -> [PlannedSlot] {
    let slots = try archiveRecipients().map { recipient in
      PlannedSlot(
        type: recipient.recipient.type, isForTheLongTerm: recipient.recipient.isForTheLongTerm,
        holder: recipient.text, mask: recipient.mask)
    }
    guard let guardians = try guardians.map(GuardianFile.read) ?? staying else { return slots }
    let origin = self.guardians ?? "as in the last archive"
    let holder = "\(guardians.sentence) (\(origin))"
    return slots + [
      PlannedSlot(
        type: guardians.type, isForTheLongTerm: guardians.isForTheLongTerm, holder: holder, mask: .all)
    ]
  }
}
