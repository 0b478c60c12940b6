internal import ArgumentParser
internal import FuekiArchive

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
