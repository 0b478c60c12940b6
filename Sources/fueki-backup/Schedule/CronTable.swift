/// A scheduled run as lines of a crontab.
struct CronTable {
  private let run: ScheduledRun

  init(_ run: ScheduledRun) { self.run = run }

  var text: String {
    """
    # \(run.job.title), for crontab -e of \(run.user). Cron mails what it prints.
    # A night that the machine is off is left out: anacron or a systemd timer makes up for it.
    \(run.time.minute) \(run.time.hour) \(run.job.cronDay) \(command)

    """
  }

  private var command: String {
    var words = [run.program, run.job.command, "--quiet"] + run.arguments
    for secret in run.secrets { words += secret.words(for: secret.path) }
    let variables = run.environment.map { "\($0.name)=\($0.value)" }
    let line = (["env"] + variables + words).map(Self.quoted).joined(separator: " ")
    // In a crontab a % is a line break.
    return line.replacing("%", with: "\\%")
  }

  /// Returns a text quoted for the shell.
  static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789/._-=,:+@".unicodeScalars.contains(scalar))
    }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
