internal import ArgumentParser
internal import FuekiSystem

/// The root of the command line.
@main
struct FuekiBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Offer.name, abstract: Offer.abstract, discussion: Offer.discussion,
    version: Offer.version, groupedSubcommands: Offer.groups)

  /// With no command: on a terminal what to do now, else the list of commands.
  func run() throws {
    guard StandardStream.output.isTerminal, Terminal.isAvailable else { throw CleanExit.helpRequest(self) }
    try Offer.begin()
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
      var command = try parseAsRoot(AcceptedLossNames.spelledOut(arguments))
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
  static let version = "0.3.0"
  static let name = "fueki-backup \(version)"
}
