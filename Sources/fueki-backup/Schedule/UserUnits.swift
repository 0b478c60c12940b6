internal import FuekiSystem

/// The units of the user's own manager, which `systemctl --user` reaches.
struct UserUnits {
  /// The folder of a user's units.
  let folder: String

  init() throws { folder = try Places.base("XDG_CONFIG_HOME", below: ".config") + "/systemd/user" }

  private static let program = "systemctl"
  private static let patience = 60.0

  /// The path of a unit.
  func path(of name: String) -> String { "\(folder)/\(name)" }

  /// Whether the unit is there.
  func contains(_ name: String) -> Bool {
    (try? Directory.open(folder).contains(name)) ?? false
  }

  /// Writes a unit, over an earlier one.
  func write(_ text: String, as name: String) throws {
    try Directory.makePrivateDirectories(folder)
    try OutputFile.write(text, to: path(of: name), existing: .replaced)
  }

  func remove(_ name: String) throws { try Directory.open(folder).remove(name) }

  /// Makes sure that there is a manager to speak of.
  ///
  /// - Throws: a ``Failure`` without systemd.
  static func check() throws {
    guard ChildRun.find(program) == nil else { return }
    throw Failure(
      .failed, "this machine has no systemctl, so nothing was scheduled", meaning: "no backup runs by itself",
      hint: "fueki-backup schedule print --cron prints a line for crontab -e")
  }

  /// Loads the units that were written, and starts those with these names at each login.
  ///
  /// - Throws: a ``Failure`` with status 3 if the manager cannot be reached.
  func enable(_ names: [String]) throws {
    let enabling = ["enable", "--now"] + names
    for arguments in [["daemon-reload"], enabling] {
      guard let problem = try Self.problem(arguments) else { continue }
      throw Failure(
        .partial, "the units are in \(folder), but systemd does not run them: \(problem)",
        meaning: "no backup runs by itself yet",
        hint: "as the user, in a session: systemctl --user daemon-reload && systemctl --user "
          + enabling.joined(separator: " "))
    }
  }

  /// Stops the units with these names, as far as the manager can be reached.
  func disable(_ names: [String]) { _ = try? Self.problem(["disable", "--now"] + names) }

  /// Makes the manager forget removed units, as far as it can be reached.
  func reload() { _ = try? Self.problem(["daemon-reload"]) }

  /// Runs systemctl.
  ///
  /// - Returns: its last words if it fails; nil if all is well.
  private static func problem(_ arguments: [String]) throws -> String? {
    try check()
    let run = ChildRun(
      executable: ChildRun.find(program) ?? program, arguments: ["--user"] + arguments,
      environment: Environment.all(withoutPrefix: "FUEKI_"), patience: patience)
    let outcome = try run.run(output: { _ in })
    guard outcome.ending != .exited(0) else { return nil }
    let last = outcome.errors.split(whereSeparator: \.isNewline).last.map(String.init)
    return last ?? "systemctl \(outcome.ending.sentence)"
  }
}
