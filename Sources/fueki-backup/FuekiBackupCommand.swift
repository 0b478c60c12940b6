internal import ArgumentParser
internal import FuekiSystem

/// The root of the command line.
@main
struct FuekiBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fueki-backup",
    abstract: "Encrypted backup and recovery for self-custody wallets.",
    discussion: "Each command has a man page: fueki-backup-create(1), fueki-backup-restore(1), …",
    version: Program.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Set up",
        subcommands: [DemoCommand.self, InitCommand.self, DiscoverCommand.self, ScheduleCommand.self]),
      CommandGroup(
        name: "Back up", subcommands: [CreateCommand.self, ImportCommand.self, PruneCommand.self]),
      CommandGroup(
        name: "Get back",
        subcommands: [
          RestoreCommand.self, PutBackCommand.self, ResyncCommand.self, ExportCommand.self, MendCommand.self,
        ]),
      CommandGroup(
        name: "Check",
        subcommands: [
          StatusCommand.self, ListCommand.self, ShowCommand.self, VerifyCommand.self, DrillCommand.self,
          DiffCommand.self, DoctorCommand.self,
        ]),
      CommandGroup(
        name: "Keys",
        subcommands: [KeyCommand.self, GuardiansCommand.self, SharesCommand.self, KitCommand.self]),
      CommandGroup(
        name: "Advanced", subcommands: [CheckpointCommand.self, ConfigCommand.self, InstallCommand.self]),
    ])

  /// With no command: on a terminal what to do now, else the list of commands.
  func run() throws {
    guard StandardStream.output.isTerminal, Terminal.isAvailable else { throw CleanExit.helpRequest(self) }
    try Welcome().show()
  }

  /// Hardens the process before anything else, and turns every error into its text and exit status at one place.
  static func main() {
    ProcessHardening.apply()
    Interruption.install()
    let arguments = Array(CommandLine.arguments.dropFirst())
    ReadingDeadline.start(isJSON: arguments.contains("--json"))
    defer { ReadSecrets.forget() }
    var name = ""
    do {
      if VersionPage.isMeant(by: arguments) { return VersionPage.print() }
      try MisspeltCommand.check(arguments, of: Self.self)
      var command = try parseAsRoot(arguments)
      name = type(of: command)._commandName
      try command.run()
    } catch {
      finish(error, of: name, isJSON: arguments.contains("--json"))
    }
  }

  private static func finish(_ error: any Error, of command: String, isJSON: Bool) -> Never {
    ReadSecrets.forget()
    if let status = error as? ExitStatus { exit(withError: ExitCode(status.rawValue)) }
    if exitCode(for: error) == .success { exit(withError: error) }
    let failure =
      exitCode(for: error) == .validationFailure
      ? Failure.usage(message(for: error)) : Failure(describing: error, during: Operation(ofCommand: command))
    failure.print(isJSON: isJSON)
    exit(withError: ExitCode(failure.status.rawValue))
  }
}

/// The program's name and version, as manifests keep them.
enum Program {
  static let version = "0.1.0"
  static let name = "fueki-backup \(version)"
}
