internal import ArgumentParser

/// `guardians`: shares of a key among people, of whom some together open the archives.
struct GuardiansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guardians", abstract: "Split a key among guardians, and check their shares.",
    discussion:
      "Some of the guardians together open what none of them can alone. See fueki-backup-guardians(1).",
    subcommands: [GuardiansSplitCommand.self, GuardiansCheckCommand.self, GuardiansCombineCommand.self])
}
