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

  /// Hardens the process before anything else, and ends it with the one status that says how the run went.
  static func main() {
    ProcessHardening.apply()
    Interruption.install()
    let arguments = OtherNames.spelledOut(Array(CurrentProcess.arguments.dropFirst()), of: Self.self)
    let isJSON = arguments.contains("--json")
    ReadingDeadline.start(isJSON: isJSON)
    let status = run(arguments, isJSON: isJSON)
    ReadSecrets.forget()
    exit(withError: ExitCode(StandardOutput.end(status).rawValue))
  }

  /// Runs a command, and turns every error into its text and exit status at one place.
  private static func run(_ arguments: [String], isJSON: Bool) -> ExitStatus {
    var name = ""
    let path = CommandPath(arguments, of: Self.self)
    // doctor says more of it.
    defer { if name != "doctor" { MemoryLockWarning.print() } }
    do {
      if VersionPage.isMeant(by: arguments) {
        VersionPage.print()
        return .done
      }
      // The words of the command itself are no part of a phrase.
      try TypedSecret.check(Array(arguments.dropFirst(path.words.count - 1)), path, of: Self.self)
      try MisspeltCommand.check(path)
      var command = try parseAsRoot(AcceptedLossNames.spelledOut(arguments))
      name = type(of: command)._commandName
      try command.run()
      return .done
    } catch let status as ExitStatus {
      return status
    } catch {
      return report(error, of: name, path, isJSON: isJSON)
    }
  }

  private static func report(
    _ error: any Error, of command: String, _ path: CommandPath, isJSON: Bool
  ) -> ExitStatus {
    guard exitCode(for: error) != .success else {
      // Help, the version or a shell's completions.
      let text = CompletionScript.withOtherNames(fullMessage(for: error))
      if !text.isEmpty { StandardOutput.write(text + "\n") }
      return .done
    }
    let operation = Operation(ofCommand: command)
    var failure =
      exitCode(for: error) == .validationFailure
      ? Failure.usage(ParserMessage.withoutValues(message(for: error)))
      : Failure(describing: error, during: operation)
    failure.complete(operation, path)
    failure.print(isJSON: isJSON)
    return failure.status
  }
}

/// The program's name and version, as manifests keep them.
enum Program {
  static let version = "0.3.0"
  static let name = "fueki-backup \(version)"
}
