internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiStore
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

  /// Hardens the process first, and ends it with the exit status of the run.
  static func main() {
    ProcessHardening.apply()
    if CurrentProcess.arguments.first == SourceReader.name { readSource() }
    let arguments = OtherNames.spelledOut(Array(CurrentProcess.arguments.dropFirst()), of: Self.self)
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

  /// Reads another program's files in a box, and ends the process.
  private static func readSource() -> Never {
    Interruption.install()
    let status = SourceReader.run(
      deadline: ReadingDeadline.limit, copier: WalletCopies.copier,
      sentence: { Failure(describing: $0).message })
    ImmediateExit.exit(status: status)
  }

  /// Runs a command, and turns every error into its text and exit status at one place.
  private static func run(_ arguments: [String], isJSON: Bool) -> ExitStatus {
    var name = ""
    let path = CommandPath(arguments, of: Self.self)
    let arguments = ShortOption.withPlaces(arguments)
    // doctor says more of it.
    defer { if name != "doctor" { MemoryLockWarning.print() } }
    defer { RestoreSandbox.leave() }
    do {
      if VersionPage.isMeant(by: arguments) {
        VersionPage.print()
        return .done
      }
      // The words of the command itself are no part of a phrase.
      try TypedSecret.check(Array(arguments.dropFirst(path.words.count - 1)), path, of: Self.self)
      try MisspeltCommand.check(path)
      try RepeatedOption.check(arguments, path)
      var command = try parseAsRoot(HelpLevel.spelledOut(arguments))
      name = type(of: command)._commandName
      if let sealing = command as? any SealingCommand { ForeignSecrets.refuse(unlessIn: sealing.consents) }
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
      let text = HelpText.finished(
        CompletionScript.withOtherNames(fullMessage(for: error)), of: path, Self.self)
      if !text.isEmpty { StandardOutput.write(text + "\n") }
      return .done
    }
    let operation = Operation(ofCommand: command)
    var failure =
      exitCode(for: error) == .validationFailure
      ? Failure.usage(ParserMessage.withoutValues(message(for: error)))
      : Failure(describing: error, during: operation)
    failure.complete(operation, path)
    // A failure after a request to stop is its consequence, unless its status says more.
    let isConsequence =
      [.failed, .wrongSecret, .notFound].contains(failure.status) && Interruption.wasRequested
    let reported = isConsequence ? Failure(describing: Interrupted()) : failure
    reported.print(isJSON: isJSON)
    return reported.status
  }
}

/// Distinguishes an unknown command from an argument, and suggests the nearest existing one.
enum MisspeltCommand {
  /// - Throws: a ``Failure`` if a group of commands is followed by a name that none of them has.
  static func check(_ path: CommandPath) throws {
    guard path.unknown != nil else { return }
    throw Failure(
      .usage,
      path.words.count > 1 ? "\(path.text) has no command of that name" : "there is no command of that name",
      meaning: "nothing was done",
      hint: nearest(path).map { "did you mean \"\(path.text) \($0)\"?" } ?? path.helpHint)
  }

  /// Returns the nearest command by its own name, even if another program's name for it is nearer.
  private static func nearest(_ path: CommandPath) -> String? {
    guard let word = path.unknown else { return nil }
    let own = path.command.configuration.subcommands.flatMap(CommandPath.names)
    let others = path.words.count > 1 ? [] : OtherNames.table.filter { own.contains($0.own) }.map(\.other)
    return NearestName.of(word, among: own + others).map(path.words.count > 1 ? { $0 } : OtherNames.own)
  }
}

/// `--version -v`: the program, and all that it is built on.
enum VersionPage {
  /// Returns whether exactly these two arguments were given.
  static func isMeant(by arguments: [String]) -> Bool {
    guard arguments.count == 2, arguments.contains("--version") else { return false }
    return arguments.contains("-v") || arguments.contains("--verbose")
  }

  static func print() {
    let console = Console(isJSON: false, isQuiet: false, isVerbose: true)
    console.line(Program.name)
    console.line("archive format: version 1")
    console.line("libsodium: \(CryptoLibraries.sodium)")
    console.line("OpenSSL: \(CryptoLibraries.openSSL)")
    console.line("zstd: \(ZstdLibrary.version)")
    console.line("SQLite: \((try? StoreLibrary.version()) ?? "its version cannot be read")")
    console.line(
      "sandbox: \(Sandbox.version.map { "Landlock \($0)" } ?? "none: this kernel has no Landlock")")
  }
}
