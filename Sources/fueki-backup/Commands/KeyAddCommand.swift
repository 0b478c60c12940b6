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
    let subject = try change.subject(console)
    let kept = try change.kept(subject)
    let new = try passphrase.read(
      console, try change.vault(), of: subject.open, isNeeded: others.isEmpty)
    try change.seal(subject, opening: kept + (new.map { [$0.slot()] } ?? []) + others, console)
  }
}
