internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// The targets of archives.
struct TargetOptions: ParsableArguments {
  @Option(
    name: .withLetter(.target),
    help: ArgumentHelp(
      "A folder with archives, or rclone:REMOTE:PATH. May be repeated.", valueName: "target"),
    completion: .directory)
  var target: [String] = []

  /// Returns the given targets, else the configured ones.
  ///
  /// A target in both has its configured kind.
  func targets(_ configuration: Configuration) -> [Target] {
    guard !target.isEmpty else { return configuration.chosenTargets }
    return target.map { path in
      let given = Target(path: path)
      let declared = configuration.targets.map(\.target)
        .first { $0.path == given.path || $0.place == given.place }
      var target = declared.map { Target(path: path, kind: $0.kind) } ?? given
      target.isAppendOnly = configuration.isAppendOnly(given)
      return target
    }
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
    return try Places.base("XDG_DATA_HOME", below: ".local/share") + "/fueki"
  }
}

/// Where this program keeps things, by the XDG base directory specification.
enum Places {
  /// This machine's state.
  static func state() throws -> StateDirectory {
    if let given = Environment.get("FUEKI_STATE"), !given.isEmpty { return StateDirectory(path: given) }
    return StateDirectory(path: try base("XDG_STATE_HOME", below: ".local/state") + "/fueki-backup")
  }

  /// An XDG base directory; a relative one is to be ignored, says the specification.
  static func base(_ variable: String, below home: String) throws -> String {
    if let given = Environment.get(variable), given.hasPrefix("/") { return given }
    guard let person = Environment.get("HOME"), person.hasPrefix("/") else {
      throw CommandError.usage("HOME is not set: use --datadir, and FUEKI_STATE in the environment")
    }
    return "\(person)/\(home)"
  }
}
