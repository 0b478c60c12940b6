internal import ArgumentParser
internal import FuekiBackup
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
    let arguments = Array(CurrentProcess.arguments.dropFirst())
    let isJSON = arguments.contains("--json")
    let interrupted = Failure(describing: Interrupted())
    Interruption.install(
      lastWords: isJSON ? "" : interrupted.text,
      output: isJSON ? Document.text(interrupted.document) ?? "" : "")
    ReadingDeadline.start(isJSON: isJSON)
    let status = run(arguments, isJSON: isJSON)
    ReadSecrets.forget()
    let ended = StandardOutput.end(status).rawValue
    guard !Interruption.wasRequested else { Interruption.endProcess(status: ended) }
    exit(withError: ExitCode(ended))
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
    // What fails after a request to stop fails because of it, unless its status says more.
    let isConsequence =
      [.failed, .wrongSecret, .notFound].contains(failure.status) && Interruption.wasRequested
    let told = isConsequence ? Failure(describing: Interrupted()) : failure
    told.print(isJSON: isJSON)
    return told.status
  }
}

/// The program's name and version, as manifests keep them.
enum Program {
  static let version = "0.3.0"
  static let name = "fueki-backup \(version)"
}
