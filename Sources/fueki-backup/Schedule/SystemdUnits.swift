/// A scheduled run as a service and a timer of systemd.
struct SystemdUnits {
  private let run: ScheduledRun

  init(_ run: ScheduledRun) { self.run = run }

  /// The units' names and texts.
  var files: [(name: String, text: String)] {
    [("\(run.name).service", service), ("\(run.name).timer", timer)]
  }

  /// A word of a unit, quoted, with nothing in it that systemd would expand.
  static func quoted(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": quoted += "%%"
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\x" + (digits.count < 2 ? "0" : "") + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return "\"\(quoted)\""
  }

  /// A path where systemd expands specifiers and nothing else.
  private static func unexpanded(_ path: String) -> String { path.replacing("%", with: "%%") }

  /// Each secret's file, with the option that names it once systemd has put it into the credentials' folder (%d).
  ///
  /// The passphrase needs no option: the program looks there by itself.
  private var credentials: [(name: String, path: String, option: String?)] {
    var all: [(String, String, String?)] = []
    if let path = run.passphraseFile { all.append(("fueki-passphrase", path, nil)) }
    if let path = run.keyFile { all.append(("fueki-key-file", path, "--key-file")) }
    if let path = run.identity { all.append(("fueki-identity", path, "--identity")) }
    if let path = run.keychainKeyFile { all.append(("fueki-keychain-key", path, "--keychain-key-file")) }
    return all
  }

  private var command: String {
    let words = [run.program, run.job.command, "--quiet"] + run.arguments
    let secrets = credentials.compactMap { credential in
      credential.option.map { "\($0) \"%d/\(credential.name)\"" }
    }
    // Only in a command line are variables expanded too.
    let quoted = words.map { Self.quoted($0).replacing("$", with: "$$") }
    return (quoted + secrets).joined(separator: " ")
  }

  private var service: String {
    let loaded = credentials.map { "LoadCredential=\($0.name):\(Self.unexpanded($0.path))\n" }.joined()
    // A disk that is not there must not keep the run from saying so.
    let writable = run.writable.map { "ReadWritePaths=\(Self.quoted("-\($0)"))\n" }.joined()
    return """
      [Unit]
      Description=\(run.job.title) (\(run.name))
      Documentation=man:fueki-backup(1) man:fueki-backup-\(run.job.command)(1)

      [Service]
      Type=oneshot
      User=\(run.user)
      ExecStart=\(command)
      \(loaded)Environment=\(Self.quoted("FUEKI_STATE=\(run.stateDirectory)"))
      Environment=SWIFT_BACKTRACE=enable=no
      UMask=0077
      LimitMEMLOCK=64M
      LimitCORE=0
      TimeoutStartSec=6h
      Nice=10
      IOSchedulingClass=idle

      # What the run may write to; everything else it may at most read.
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

  private var network: String {
    guard !run.usesNetwork else { return "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX\n" }
    return "PrivateNetwork=yes\nIPAddressDeny=any\nRestrictAddressFamilies=none\n"
  }

  private var timer: String {
    """
    [Unit]
    Description=\(run.job.title) (\(run.name))
    Documentation=man:fueki-backup-schedule(1)

    [Timer]
    OnCalendar=\(run.job.calendarDay) \(TwoDigits.text(run.time.hour)):\(TwoDigits.text(run.time.minute)):00
    # Machines of one household do not all begin at once, and one that was off catches up.
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
