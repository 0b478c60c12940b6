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

/// The program's name and version, as manifests keep them.
enum Program {
  static let version = "0.3.0"
  static let name = "fueki-backup \(version)"
}

/// The command names of other backup programs, accepted as well as this program's own.
enum OtherNames {
  /// Each accepted name with the command that it stands for, as the help lists them.
  static let table: [(other: String, own: String)] = [
    ("backup", "create"), ("snapshots", "list"), ("check", "verify"), ("forget", "prune"),
    ("extract", "restore"), ("info", "show"),
  ]

  /// The names as one phrase, such as "backup (create)"; only those of commands that the program offers.
  static func phrase(offered: [any ParsableCommand.Type]) -> String {
    let own = Set(offered.map { $0._commandName })
    return table.filter { own.contains($0.own) }.map { "\($0.other) (\($0.own))" }.joined(separator: ", ")
  }

  /// The command that an accepted name stands for; the name itself if it is none.
  static func own(_ name: String) -> String {
    table.first { $0.other == name }?.own ?? name
  }

  /// Returns the accepted names of a command, its own first.
  static func all(of own: String) -> [String] {
    [own] + table.filter { $0.own == own }.map(\.other)
  }

  /// The arguments with the program's own name for the command, also after `help`.
  static func spelledOut(_ arguments: [String], of root: any ParsableCommand.Type) -> [String] {
    let place = arguments.first == "help" ? 1 : 0
    guard arguments.indices.contains(place) else {
      return arguments
    }
    let name = own(arguments[place])
    guard root.configuration.subcommands.contains(where: { $0._commandName == name }) else {
      return arguments
    }
    var arguments = arguments
    arguments[place] = name
    return arguments
  }
}

/// The command that arguments name, a group's with its subcommand.
struct CommandPath {
  /// The command, or the group that has no command of the next word.
  private(set) var command: any ParsableCommand.Type
  /// The names from the program's to the command's, as they are typed.
  private(set) var words: [String]
  /// The word that names no command of a group; nil if there is none.
  private(set) var unknown: String?

  init(_ arguments: [String], of root: any ParsableCommand.Type) {
    (command, words) = (root, [root._commandName])
    for word in arguments {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      guard let next = commands.first(where: { Self.names(of: $0).contains(word) }) else {
        unknown = word
        return
      }
      command = next
      words.append(next._commandName)
    }
  }

  /// The words as one text, such as "fueki-backup key list".
  var text: String { words.joined(separator: " ") }

  /// Whether it is a command, not the program or a group.
  var isWhole: Bool { command.configuration.subcommands.isEmpty }

  /// The place to look up the possible words.
  var helpHint: String {
    guard words.count > 1 else { return "\(text) --help lists the commands" }
    let page = words.prefix(2).joined(separator: "-")
    return isWhole
      ? "\(text) --help lists its options. The manual page is \(page)(1)"
      : "\(text) --help lists its commands"
  }

  /// Whether the command has an option, by its long name.
  func has(_ option: String, in root: any ParsableCommand.Type) -> Bool {
    guard isWhole else { return false }
    return root.helpMessage(for: command, includeHidden: true).split(whereSeparator: {
      " ,\n<>/".contains($0)
    }).contains {
      $0 == option
    }
  }

  static func names(of command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }
}
