internal import FuekiSystem

/// A scheduled run as a service and a timer of systemd.
struct SystemdUnits {
  private let run: ScheduledRun
  /// Whether the units are for the user's manager, which has fewer rights to give up than the system's.
  private let isForUser: Bool

  init(_ run: ScheduledRun, isForUser: Bool = false) { (self.run, self.isForUser) = (run, isForUser) }

  /// The units that are enabled: the timer, and with watched files the path.
  var enabled: [String] { files.map(\.name).filter { !$0.hasSuffix(".service") } }

  /// The units' names and texts.
  var files: [(name: String, text: String)] {
    let nightly = [
      (name: "\(run.name).service", text: service([command(run.arguments)])),
      (name: "\(run.name).timer", text: timer),
    ]
    guard !run.watched.isEmpty else { return nightly }
    // A change during the first run goes unnoticed. The second run finds it, and makes no archive if there was none.
    let command = command(["--on-change", "--wait", "10m"] + run.arguments)
    return nightly + [
      (name: "\(watchName).service", text: service([command, command])),
      (name: "\(watchName).path", text: path),
    ]
  }

  private var watchName: String { "\(run.name)-watch" }

  /// A word of a unit, quoted, with nothing in it that systemd would expand.
  static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": quoted += "%%"
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || PathText.escapedByte(scalar) != nil:
        let digits = String(PathText.escapedByte(scalar).map(UInt32.init) ?? scalar.value, radix: 16)
        quoted += "\\x" + (digits.count < 2 ? "0" : "") + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return "\"\(quoted)\""
  }

  /// A path where systemd expands specifiers and nothing else.
  private static func unexpanded(_ path: String) -> String { path.replacing("%", with: "%%") }

  private func command(_ arguments: [String]) -> String {
    let words = [run.program, run.job.command, "--quiet"] + arguments
    // A user's manager reads no file that the user cannot read.
    guard !isForUser else {
      let files = run.secrets.flatMap { $0.words(for: $0.path) }
      return (words + files).map { Self.quoted($0).replacing("$", with: "$$") }.joined(separator: " ")
    }
    // In the credentials' folder (%d) the program looks for passphrases by itself.
    let secrets = run.secrets.filter { !$0.isFoundByName }.map { secret in
      secret.words(for: "%d/\(secret.credential)").enumerated()
        .map { $0.offset == 0 ? $0.element : "\"\($0.element)\"" }.joined(separator: " ")
    }
    // Only in a command line are variables expanded too.
    let quoted = words.map { Self.quoted($0).replacing("$", with: "$$") }
    return (quoted + secrets).joined(separator: " ")
  }

  private func service(_ commands: [String]) -> String {
    let starts = commands.map { "ExecStart=\($0)\n" }.joined()
    let loaded = run.secrets.map { "LoadCredential=\($0.credential):\(Self.unexpanded($0.path))\n" }.joined()
    let environment = run.environment.map { "Environment=\(Self.quoted("\($0.name)=\($0.value)"))\n" }
      .joined()
    // A disk that is not there must not keep the run from saying so.
    let writable = run.writable.map { "ReadWritePaths=\(Self.quoted("-\($0)"))\n" }.joined()
    return """
      [Unit]
      Description=\(run.job.title) (\(run.name))
      Documentation=man:fueki-backup(1) man:fueki-backup-\(run.job.command)(1)

      [Service]
      Type=oneshot
      \(isForUser ? "" : "User=\(run.user)\n")\(starts)\(isForUser ? "" : loaded)\(environment)UMask=0077
      LimitMEMLOCK=64M
      LimitCORE=0
      TimeoutStartSec=6h
      Nice=10
      IOSchedulingClass=idle

      \(isForUser ? userLimits : systemLimits(writable))
      """
  }

  private func systemLimits(_ writable: String) -> String {
    """
    # What the run may write to. Everything else it may at most read.
    \(writable)ProtectSystem=strict
    ProtectHome=read-only

    # What it has no use for.
    NoNewPrivileges=yes
    CapabilityBoundingSet=
    AmbientCapabilities=
    PrivateTmp=yes
    PrivateDevices=yes
    DevicePolicy=closed
    \(network)ProtectClock=yes
    ProtectControlGroups=yes
    ProtectHostname=yes
    ProtectKernelLogs=yes
    ProtectKernelModules=yes
    ProtectKernelTunables=yes
    ProtectProc=invisible
    ProcSubset=pid
    KeyringMode=private
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    RemoveIPC=yes
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged @resources
    SystemCallErrorNumber=EPERM

    """
  }

  /// The limits that need no rights of the system's manager.
  private var userLimits: String {
    """
    # What it has no use for.
    NoNewPrivileges=yes
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    \(addressFamilies)SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged @resources
    SystemCallErrorNumber=EPERM

    """
  }

  private var addressFamilies: String {
    "RestrictAddressFamilies=" + (run.usesNetwork ? "AF_INET AF_INET6 AF_UNIX" : "none") + "\n"
  }

  private var network: String {
    (run.usesNetwork ? "" : "PrivateNetwork=yes\nIPAddressDeny=any\n") + addressFamilies
  }

  private var path: String {
    let paths = run.watched.map { "PathChanged=\(Self.unexpanded($0))\n" }.joined()
    return """
      [Unit]
      Description=Channel backups and slashing records that a change of is backed up at once (\(run.name))
      Documentation=man:fueki-backup-schedule(1)

      [Path]
      \(paths)Unit=\(watchName).service

      [Install]
      WantedBy=paths.target

      """
  }

  private var timer: String {
    """
    [Unit]
    Description=\(run.job.title) (\(run.name))
    Documentation=man:fueki-backup-schedule(1)

    [Timer]
    OnCalendar=\(run.job.calendarDay) \(TwoDigits.text(run.time.hour)):\(TwoDigits.text(run.time.minute)):00
    # Machines of one household do not all begin at once, and a machine that was off catches up.
    RandomizedDelaySec=45min
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }
}

/// Hours and minutes as clocks show them.
enum TwoDigits {
  static func text(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

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
