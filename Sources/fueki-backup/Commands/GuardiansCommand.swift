internal import ArgumentParser

/// `guardians`: shares of a key among people, of whom some together open the archives.
struct GuardiansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guardians", abstract: "Split a key among guardians, and check their shares.",
    discussion:
      "Together, some of the guardians open what none of them can open alone. See fueki-backup-guardians(1).",
    subcommands: [GuardiansSplitCommand.self, GuardiansCheckCommand.self, GuardiansCombineCommand.self])
}
