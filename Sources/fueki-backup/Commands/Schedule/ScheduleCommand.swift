internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// `schedule`: what makes the machine run `create` every night.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule", abstract: "Run a backup every night, and a practice restore every week.",
    subcommands: [ScheduleInstall.self, ScheduleRemove.self, SchedulePrint.self])
}

/// `schedule print`: units or a crontab, to look at and to install.
struct SchedulePrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print a service and a timer for systemd, or lines for cron.",
    discussion: "Nothing is installed: the text is printed, or written into a folder.")

  @Flag(help: "A hardened service and its timer.")
  var systemd = false
  @Flag(help: "A line for crontab.")
  var cron = false
  @Option(help: ArgumentHelp("The user who runs the backup. The default is you.", valueName: "name"))
  var user: String?
  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp("Write the files into this folder instead of printing them.", valueName: "dir"),
    completion: .directory)
  var output: String?
  @OptionGroup var job: ScheduleOptions
  @OptionGroup var speech: OutputOptions

  func validate() throws {
    guard systemd != cron else { throw ValidationError("schedule print needs --systemd or --cron") }
    guard !job.watch || systemd && !job.drill else {
      throw ValidationError("--watch goes with --systemd, and not with --drill")
    }
  }

  func run() throws {
    let name = try userName()
    // The run finds its places from that user's home, even if another user prints this.
    if name != Account.current {
      guard let home = Account.home(of: name) else {
        throw CommandError.usage("this machine has no user of the name in --user")
      }
      Environment.set("HOME", to: home)
      for base in ["CONFIG", "DATA", "STATE"] { Environment.remove("XDG_\(base)_HOME") }
    }
    let run = try job.scheduledRun(name, speech.console)
    let files =
      cron ? [(name: "\(run.name).crontab", text: CronTable(run).text)] : SystemdUnits(run).files
    let console = speech.console
    if let output { try files.forEach { try Self.write($0.text, as: $0.name, in: output) } }
    guard !speech.json else { return Document.write(files, in: output) }
    for file in files where output == nil { console.page("# \(file.name)\n\(file.text)") }
    if let output { for file in files { console.report("\(output)/\(file.name)") } }
    for step in Self.steps(run, isCron: cron, folder: output) { console.note(step) }
  }

  private func userName() throws -> String {
    let name = user ?? Environment.get("USER") ?? Environment.get("LOGNAME") ?? ""
    let isName = name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_.-".unicodeScalars.contains(scalar))
    }
    guard !name.isEmpty, isName else {
      throw CommandError.usage("use --user with the user that runs the backup")
    }
    return name
  }

  private static func steps(_ run: ScheduledRun, isCron: Bool, folder: String?) -> [String] {
    guard !isCron else { return ["then: crontab -e, as \(run.user)"] }
    let place = folder == "/etc/systemd/system" ? "" : "put the files into /etc/systemd/system, "
    let watch = run.watched.isEmpty ? "" : " \(run.name)-watch.path"
    return [
      "then: \(place)systemctl daemon-reload && systemctl enable --now \(run.name).timer\(watch)",
      "try it: systemctl start \(run.name).service. Its output: journalctl -u \(run.name).service",
    ]
  }

  /// Writes a file, unless a different one exists.
  private static func write(_ text: String, as name: String, in folder: String) throws {
    let directory = try Directory.open(folder)
    let bytes = text.pathBytes
    guard try !directory.contains(name) else {
      guard try directory.openFile(name).readAll(limit: 1 << 20) == bytes else {
        throw PlaceError.wouldOverwrite(path: "\(folder)/\(name)")
      }
      return
    }
    try directory.writeWhole(bytes, as: name, permissions: 0o644, replacing: false)
  }
}

extension Document {
  /// Writes the document of `schedule`: files, and where they lie.
  static func write(_ files: [(name: String, text: String)], in folder: String?) {
    let files = files.map { file in
      ["name": file.name, "path": folder.map { "\($0)/\(file.name)" }, "text": file.text] as Members
    }
    write(["schema": "fueki.schedule/1", "files": files])
  }
}

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

/// `schedule install`: units for the user's own manager, shown, written and enabled.
struct ScheduleInstall: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install", abstract: "Show a service and a timer, and have systemd run them for you.",
    discussion: "They are your own units, below ~/.config/systemd/user, and need no root.")

  @Flag(name: .withLetter(.yes), help: "Install without asking.")
  var yes = false
  @Flag(name: .withLetter(.dryRun), help: "Show the units, and install nothing.")
  var dryRun = false
  @OptionGroup var job: ScheduleOptions
  @OptionGroup var speech: OutputOptions

  func validate() throws {
    guard !job.watch || !job.drill else { throw ValidationError("--watch does not go with --drill") }
  }

  func run() throws {
    let console = speech.console
    let place = try UserUnits()
    if !dryRun { try UserUnits.check() }
    let units = SystemdUnits(try job.scheduledRun(Account.current ?? "", console), isForUser: true)
    for file in units.files {
      console.page("# \(place.path(of: file.name))\n\(file.text)")
    }
    guard !dryRun else { return end(units, nil) }
    guard try yes || isWanted(units, place) else {
      throw Failure(
        .usage, "nothing was installed", meaning: "no backup runs by itself",
        hint: "run it again with --yes to install the units without asking")
    }
    for file in units.files { try place.write(file.text, as: file.name) }
    try place.enable(units.enabled)
    end(units, place)
  }

  private func isWanted(_ units: SystemdUnits, _ place: UserUnits) throws -> Bool {
    guard Terminal.isAvailable, !speech.json else { return false }
    let present = units.files.map(\.name).filter(place.contains)
    let replaced = present.isEmpty ? "" : ", over \(present.joined(separator: " and "))"
    return try Asking.yes("write these into \(place.folder)\(replaced), and enable them", default: true)
  }

  private func end(_ units: SystemdUnits, _ place: UserUnits?) {
    let console = speech.console
    guard !speech.json else { return Document.write(units.files, in: place?.folder) }
    guard place != nil else { return }
    console.report("installed and enabled: \(units.enabled.joined(separator: " and "))")
    console.note("it runs while you are logged in. To run always: loginctl enable-linger")
    console.note("try it: systemctl --user start \(units.files.first?.name ?? "")")
  }
}

/// `schedule remove`: stops and removes what `schedule install` has written.
struct ScheduleRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Stop and remove the units that \"schedule install\" made.")

  @OptionGroup var speech: OutputOptions

  func run() throws {
    let place = try UserUnits()
    let names = ((try? Directory.open(place.folder).list()) ?? []).compactMap(\.text).filter {
      $0.hasPrefix("fueki-backup") && [".service", ".timer", ".path"].contains(where: $0.hasSuffix)
    }.sorted()
    guard !names.isEmpty else {
      throw Failure(
        .notFound, "there are no units of this program in \(place.folder)", meaning: "nothing was removed",
        hint:
          "units of the whole system are in /etc/systemd/system: systemctl disable --now fueki-backup.timer")
    }
    place.disable(names.filter { !$0.hasSuffix(".service") })
    for name in names { try place.remove(name) }
    place.reload()
    let removed = names.map { (name: $0, text: "") }
    guard !speech.json else { return Document.write(removed, in: place.folder) }
    for name in names { speech.console.report("removed \(place.path(of: name))") }
  }
}
