internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup

/// `key change-passphrase`: another passphrase in the place of the one that was given.
struct KeyChangePassphraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-passphrase", abstract: "Change the vault's passphrase.")

  @OptionGroup var change: KeyChangeOptions
  @OptionGroup var passphrase: NewPassphraseOptions

  func run() throws {
    let console = change.output.console
    let subject = try change.subject(console)
    let old = subject.slots.filter { slot in
      slot.type.advice?.asksForPassphrase == true && subject.open.openedSlots.contains(slot.number)
    }
    guard let first = old.first else {
      throw CommandError.usage("no passphrase opened this archive, so there is no passphrase to change")
    }
    guard old.allSatisfy({ $0.mask == first.mask }) else {
      throw CommandError.usage("the passphrase opens slots with different scopes: use key add and remove")
    }
    let kept = try change.kept(subject, without: Set(old.map(\.number)))
    let new = try passphrase.slot(
      console, try change.vault(), of: subject.open, isNeeded: true, opening: first.mask)
    guard let new else { return }
    try change.seal(subject, opening: [new] + kept, console) {
      OldPassphrasePlaces(try change.settings.load(), change.secrets).print(
        old: try StoredArchive(at: subject.path), console)
    }
  }
}
