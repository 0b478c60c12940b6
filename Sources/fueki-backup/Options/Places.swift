internal import FuekiBackup
internal import FuekiSystem

/// Where this program keeps things, by the XDG base directory specification.
enum Places {
  /// This machine's state.
  static func state() throws -> StateDirectory {
    if let given = Environment.get("FUEKI_STATE"), !given.isEmpty { return StateDirectory(path: given) }
    let base = try base("XDG_STATE_HOME", below: ".local/state", or: "FUEKI_STATE")
    return StateDirectory(path: base + "/fueki-backup")
  }

  /// An XDG base directory; a relative one is to be ignored, says the specification.
  ///
  /// - Parameters:
  ///   - variable: the variable that has it.
  ///   - home: the default, below the home directory.
  ///   - other: another variable that makes it unnecessary.
  /// - Returns: the directory's path.
  /// - Throws: ``CommandError/usage(_:)`` if neither variable nor the home directory is set.
  static func base(_ variable: String, below home: String, or other: String? = nil) throws -> String {
    if let given = Environment.get(variable), given.hasPrefix("/") { return given }
    guard let person = Environment.get("HOME"), person.hasPrefix("/") else {
      let names = ["HOME", variable, other].compactMap(\.self)
      let choice = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      throw CommandError.usage("HOME is not set: set \(choice) in the environment")
    }
    return "\(person)/\(home)"
  }
}
