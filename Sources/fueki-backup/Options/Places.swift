internal import FuekiBackup
internal import FuekiSystem

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
