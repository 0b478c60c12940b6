internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// How a command speaks.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document, also on failure.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only problems, warnings and errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: ArgumentHelp("Say more.", visibility: .more))
  var verbose = false

  @Option(
    help: ArgumentHelp(
      "Show progress as plain lines, as JSON, or not at all: plain, json, none.", valueName: "style",
      visibility: .more))
  var progress: ProgressStyle?

  var console: Console { Console(isJSON: json, isQuiet: quiet, isVerbose: verbose) }

  /// - Throws: a ``Failure`` if the environment has an unknown style.
  var progressLine: ProgressLine {
    get throws { ProgressLine(style: try progress ?? ProgressStyle.usual(), isQuiet: quiet) }
  }
}

extension ProgressStyle: ExpressibleByArgument {}

/// How progress is shown.
enum ProgressStyle: String, CaseIterable {
  /// A line of its own, at most every ten seconds: for who listens to a screen reader, and for logs.
  case plain
  case json
  case none

  static let variable = "FUEKI_PROGRESS"

  /// The configured style, loaded before anything is shown.
  private static let configured = Locked<ProgressStyle?>(nil)

  static func configure(_ style: ProgressStyle?) { configured.withLock { $0 = style ?? $0 } }

  /// The style without an option: the environment's, else the configuration's, else plain on a terminal without cursor
  /// movement.
  ///
  /// - Throws: a ``Failure`` if the environment has an unknown style.
  static func usual() throws -> ProgressStyle? {
    if let name = Environment.get(variable), !name.isEmpty {
      guard let style = ProgressStyle(rawValue: name) else {
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(.usage, "\(variable) is \"\(name)\": it must be one of \(names)")
      }
      return style
    }
    if let style = configured.withLock({ $0 }) { return style }
    return Environment.get("TERM") == "dumb" && StandardStream.error.isTerminal ? .plain : nil
  }
}

/// Which configuration is in force.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The configuration file.", valueName: "file", visibility: .more), completion: .file())
  var config: String?

  @Option(
    help: ArgumentHelp("Which of the configuration's vaults to use.", valueName: "name", visibility: .more))
  var vault: String?

  /// Where the configuration is, or would be: the option, else `FUEKI_CONFIG`, else the default place.
  func path() throws -> String {
    try config ?? Self.given ?? Self.folder() + "/config.toml"
  }

  /// The path from the root; empty if there is no home for a configuration.
  var place: String { (try? AbsolutePath.of(path())) ?? "" }

  /// The folder of the configuration and the signing key.
  static func folder() throws -> String {
    try Places.base("XDG_CONFIG_HOME", below: ".config", or: "FUEKI_CONFIG") + "/fueki-backup"
  }

  private static var given: String? {
    Environment.get("FUEKI_CONFIG").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Loads the configuration; empty if the default place has none.
  ///
  /// - Parameter mayBeNew: whether the chosen file may not exist yet.
  /// - Returns: the configuration, with the selected vault.
  /// - Throws: ``CommandError``.
  func load(mayBeNew: Bool = false) throws -> Configuration {
    var configuration = Configuration()
    if let path = config ?? Self.given, !mayBeNew || (try? File.open(path)) != nil {
      configuration = try Configuration(ConfigurationFile(path: path))
    } else if let path = try? path(), (try? File.open(path)) != nil {
      configuration = try Configuration(ConfigurationFile(path: path))
    }
    ProgressStyle.configure(configuration.progress)
    guard let vault else { return configuration }
    guard let found = configuration.vaults.first(where: { $0.name == ExactText(vault) }) else {
      let names = configuration.vaults.compactMap(\.name?.text).joined(separator: ", ")
      throw CommandError.usage(
        "the configuration has no vault \"\(vault)\"" + (names.isEmpty ? "" : ". It has \(names)"))
    }
    configuration.picked = found
    return configuration
  }
}

/// Which data directory the wallet lives in.
struct DataOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The wallet's data directory.", valueName: "dir"), completion: .directory)
  var datadir: String?

  /// The option, else `FUEKI_DATADIR`, else the configuration's, else the default place.
  func path(_ configuration: Configuration) throws -> String {
    try datadir ?? Self.standard(configuration)
  }

  /// The data directory where no option names it.
  static func standard(_ configuration: Configuration) throws -> String {
    if let given = Environment.get("FUEKI_DATADIR"), !given.isEmpty { return given }
    if let configured = try configuration.vault().datadir { return configured }
    return try Places.base("XDG_DATA_HOME", below: ".local/share", or: "FUEKI_DATADIR") + "/fueki"
  }
}

/// How long to wait for another run of this machine.
struct LockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Wait up to this long for another run: 90s, 10m, 2h.", valueName: "duration", visibility: .more))
  var wait: DurationArgument?

  /// Takes this machine's lock for a run of the command.
  ///
  /// - Parameters:
  ///   - purpose: shown to a run that finds the lock taken.
  ///   - output: reports the wait.
  /// - Returns: the state, locked.
  /// - Throws: ``StateError/locked(owner:)`` if another run still holds the lock, and system errors.
  func take(_ purpose: String, _ output: OutputOptions) throws -> LockedState {
    let progress = try output.progressLine
    defer { progress.clear() }
    return try Places.state().lock(
      purpose: purpose, processID: CurrentProcess.identifier,
      start: Times.text(UInt64(max(0, SystemClock.now) / 1_000_000)), wait: wait?.seconds ?? 0
    ) { owner in
      try progress.show("waiting for another run" + (owner.map { " (\($0))" } ?? ""))
    }
  }
}
