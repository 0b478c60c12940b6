internal import ArgumentParser
internal import FuekiCollectors
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

  /// Hardens the process before anything else, and ends it with the one status that says how the run went.
  static func main() {
    ProcessHardening.apply()
    Interruption.install()
    if CurrentProcess.arguments.first == SourceReader.name { readSource() }
    let arguments = Array(CurrentProcess.arguments.dropFirst())
    let isJSON = arguments.contains("--json")
    ReadingDeadline.start(isJSON: isJSON)
    let status = run(arguments, isJSON: isJSON)
    ReadSecrets.forget()
    exit(withError: ExitCode(StandardOutput.end(status).rawValue))
  }

  /// Is the process that reads another program's files in a box.
  private static func readSource() -> Never {
    let status = SourceReader.run(deadline: ReadingDeadline.limit) { Failure(describing: $0).message }
    ImmediateExit.exit(status: status)
  }

  /// Runs a command, and turns every error into its text and exit status at one place.
  private static func run(_ arguments: [String], isJSON: Bool) -> ExitStatus {
    var name = ""
    // doctor says more of it.
    defer { if name != "doctor" { MemoryLockWarning.print() } }
    do {
      if VersionPage.isMeant(by: arguments) {
        VersionPage.print()
        return .done
      }
      try MisspeltCommand.check(arguments, of: Self.self)
      var command = try parseAsRoot(AcceptedLossNames.spelledOut(arguments))
      name = type(of: command)._commandName
      try command.run()
      return .done
    } catch let status as ExitStatus {
      return status
    } catch {
      return report(error, of: name, isJSON: isJSON)
    }
  }

  private static func report(_ error: any Error, of command: String, isJSON: Bool) -> ExitStatus {
    guard exitCode(for: error) != .success else {
      // Help, the version or a shell's completions.
      let text = fullMessage(for: error)
      if !text.isEmpty { StandardOutput.write(text + "\n") }
      return .done
    }
    let failure =
      exitCode(for: error) == .validationFailure
      ? Failure.usage(ParserMessage.withoutValues(message(for: error)))
      : Failure(describing: error, during: Operation(ofCommand: command))
    failure.print(isJSON: isJSON)
    return failure.status
  }
}

/// The program's name and version, as manifests keep them.
enum Program {
  static let version = "0.3.0"
  static let name = "fueki-backup \(version)"
}
