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

/// Paths that hold wherever the program is run from.
enum AbsolutePath {
  /// Returns the path from the root; a remote's path is unchanged.
  static func of(_ path: String) throws -> String {
    let target = Target(path: path)
    if target.kind == .rclone { return target.path }
    guard !path.hasPrefix("/") else { return path }
    let expanded = HomePath.expanded(path)
    guard !expanded.hasPrefix("/") else { return expanded }
    // The shell's current folder, if it is right, because it keeps the links that the user knows.
    if let here = Environment.get("PWD"), here.hasPrefix("/"), isCurrent(here) { return "\(here)/\(path)" }
    guard let here = CurrentProcess.folder else {
      throw CommandError.usage("type the whole path of \(path), beginning with /")
    }
    return "\(here)/\(path)"
  }

  private static func isCurrent(_ folder: String) -> Bool {
    guard let named = try? Directory.open(folder).status(), let real = try? Directory.open(".").status()
    else { return false }
    return named.isSameFile(as: real)
  }
}

/// Paths that begin with the user's home, if no shell has expanded them.
enum HomePath {
  /// Returns the path, with the user's home for a `~` at its beginning.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.utf8.starts(with: "~/".utf8), let home = Environment.get("HOME") else {
      return path
    }
    return home + (String(path.utf8.dropFirst()) ?? "")
  }

  /// Returns the path, with `~` for a home that contains it.
  static func shortened(_ path: String, home: String) -> String {
    guard path.utf8.starts(with: "\(home)/".utf8) else { return path }
    return "~" + (String(path.utf8.dropFirst(home.utf8.count)) ?? path)
  }
}

/// Short text files that options name: keys, recipients, guardians, checkpoints.
enum TextFile {
  private static let byteLimit = 1 << 20

  /// The text of a file in UTF-8, or in UTF-16 with its mark; bytes that are neither become U+FFFD.
  ///
  /// - Throws: system errors, also for a file that is too long.
  static func text(at path: String) throws(SystemError) -> String {
    try text(of: try File.open(path), path)
  }

  /// Does the same for a file that determines the readers of backups.
  ///
  /// - Throws: errors from ``TrustedFile``, and system errors.
  static func trustedText(at path: String) throws -> String {
    try text(of: try TrustedFile.open(path), path)
  }

  /// The lines of such a file, as ``lines(at:)``.
  static func trustedLines(at path: String) throws -> [String] {
    lines(of: try trustedText(at: path))
  }

  /// Does the same for a file of signers' public keys.
  ///
  /// - Throws: errors from ``TrustedFile``, and system errors.
  static func publicKeys(at path: String) throws -> String {
    try text(of: try TrustedFile.open(path, isPublicKey: true), path)
  }

  /// Its lines, empty ones too, so that their numbers are those that an editor shows.
  static func lines(at path: String) throws(SystemError) -> [String] { lines(of: try text(at: path)) }

  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  private static func text(of file: borrowing File, _ path: String) throws(SystemError) -> String {
    guard let text = SavedText.utf8(try file.readAll(limit: byteLimit)) else {
      throw SystemError(
        .invalid, call: "read", path: path, explanation: "it is damaged UTF-16: save it as UTF-8")
    }
    return String(decoding: text, as: UTF8.self)
  }
}
