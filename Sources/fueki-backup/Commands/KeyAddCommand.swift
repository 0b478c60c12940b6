internal import ArgumentParser
internal import FuekiArchive

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
