internal import ArgumentParser
internal import FuekiArchive

/// `key add`: one more way to open the vault's newest archive.
struct KeyAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a passphrase, a recipient, or guardians.")

  @OptionGroup var change: KeyChangeOptions
  @OptionGroup var recipients: SlotOptions
  @OptionGroup var passphrase: NewPassphraseOptions

  func run() throws {
    let console = change.output.console
    let others = try recipients.slots()
    let loaded = try change.settings.load()
    let vault = try loaded.vault()
    try passphrase.readCommand(console)
    let subject = try change.subject(loaded, console) { needs in
      needs.readable += recipients.files + passphrase.files + [vault.recipientsFile].compactMap(\.self)
      needs.hasPlugins = needs.hasPlugins || recipients.runPlugins
    }
    let kept = try change.kept(subject)
    let new = try passphrase.read(console, vault, of: subject.open, isNeeded: others.isEmpty)
    let isConfigured = try new == nil && recipients.areConfigured(in: vault)
    try change.seal(subject, opening: kept + (new.map { [$0.slot()] } ?? []) + others, console) {
      guard !isConfigured else { return }
      console.warning(
        "only this archive opens with the new key: the next \"fueki-backup create\" makes one with the keys that "
          + "\"fueki-backup key list\" shows. To keep the key, add it to recipients or guardians in the configuration"
      )
    }
  }
}
