internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// `schedule`: what makes the machine run `create` every night.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule", abstract: "Run a backup every night, and a practice restore every week.",
    subcommands: [SchedulePrint.self])
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
  @Flag(help: "Practise a restore of the newest archive every Sunday, instead of a backup every night.")
  var drill = false
  @Flag(help: "Also make an archive whenever a channel backup or a slashing record changes.")
  var watch = false
  @Option(help: ArgumentHelp("The time of day, in the machine's time zone.", valueName: "hh:mm"))
  var at = "02:30"
  @Option(help: ArgumentHelp("The user who runs the backup. The default is you.", valueName: "name"))
  var user: String?
  @Flag(help: "Allow the run to use the network.")
  var network = false
  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp("Write the files into this folder instead of printing them.", valueName: "dir"),
    completion: .directory)
  var output: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var secrets: ScheduledSecretOptions
  @OptionGroup var speech: OutputOptions

  func validate() throws {
    guard systemd != cron else { throw ValidationError("schedule print needs --systemd or --cron") }
    guard !watch || systemd && !drill else {
      throw ValidationError("--watch goes with --systemd, and not with --drill")
    }
    guard drill || secrets.identity == nil else {
      throw ValidationError("--identity is for --drill: a backup is made with public keys alone")
    }
    guard time != nil else { throw ValidationError("--at takes a time such as 02:30") }
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
    let run = try scheduledRun(name)
    let files =
      cron ? [(name: "\(run.name).crontab", text: CronTable(run).text)] : SystemdUnits(run).files
    let console = speech.console
    if let output { try files.forEach { try Self.write($0.text, as: $0.name, in: output) } }
    guard !speech.json else { return Document.write(ScheduleDocument(files, folder: output)) }
    for file in files where output == nil { console.page("# \(file.name)\n\(file.text)") }
    if let output { for file in files { console.report("\(output)/\(file.name)") } }
    for step in Self.steps(run, isCron: cron, folder: output) { console.note(step) }
  }

  private var time: (hour: Int, minute: Int)? {
    let parts = at.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.allSatisfy(\.isNumber) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
    else { return nil }
    return (hour, minute)
  }

  private func scheduledRun(_ name: String) throws -> ScheduledRun {
    let configuration = try settings.load()
    let vault = try configuration.vault()
    let targets = self.targets.targets(configuration)
    let found = try targets.filter { $0.kind != .rclone }.map { try AbsolutePath.of($0.path) }
    let rclone = targets.contains { $0.kind == .rclone } ? try RcloneSettings() : nil
    guard !targets.isEmpty else {
      throw CommandError.usage("schedule needs a --target, or a configuration with one")
    }
    guard let program = CurrentProcess.path else {
      throw CommandError.usage("this program's path is not known")
    }
    let data = try AbsolutePath.of(data.path(configuration))
    let state = try AbsolutePath.of(Places.state().path)
    var arguments = ["--datadir", data]
    if let path = configuration.path { arguments += ["--config", try AbsolutePath.of(path)] }
    if let name = settings.vault { arguments += ["--vault", name] }
    for target in self.targets.target { arguments += ["--target", try AbsolutePath.of(target)] }
    let job = drill ? ScheduledRun.Job.drill : .create
    for variable in rclone?.notPassedOn ?? [] {
      speech.console.warning(
        "the run will not have \(variable), which may be a secret: see fueki-backup-schedule(1)")
    }
    for missing in secrets.missing(job, vault, datadir: data) {
      speech.console.warning("nobody will be there to give \(missing)")
    }
    let watched = watch ? try WatchedFiles.all(configuration) : []
    return ScheduledRun(
      job: job, name: job.unit + (settings.vault.map { "-\(Self.plain($0))" } ?? ""), program: program,
      user: name, time: time ?? (2, 30), arguments: arguments, secrets: try secrets.files(vault),
      writable: (drill ? [] : found) + [data, state] + [rclone?.folder].compactMap(\.self),
      environment: [("FUEKI_STATE", state)] + (rclone?.variables ?? []) + [
        ("SWIFT_BACKTRACE", "enable=no")
      ],
      // A wallet.dat is requested from its node, over the loopback device.
      usesNetwork: network || rclone != nil || !configuration.healthChecks(of: job.command).isEmpty
        || configuration.chosenSources.contains { $0.path.hasSuffix("/wallet.dat") },
      watched: watched)
  }

  private func userName() throws -> String {
    let name = user ?? Environment.get("USER") ?? Environment.get("LOGNAME") ?? ""
    let isName = name.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_.-".unicodeScalars.contains(scalar))
    }
    guard !name.isEmpty, isName else { throw CommandError.usage("give the --user that the backup is run as") }
    return name
  }

  /// A vault's name as a unit's name can have it.
  private static func plain(_ name: String) -> String {
    String(
      name.unicodeScalars.map { scalar -> Character in
        let isPlain =
          scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_".unicodeScalars.contains(scalar))
        return isPlain ? Character(scalar) : "-"
      })
  }

  private static func steps(_ run: ScheduledRun, isCron: Bool, folder: String?) -> [String] {
    guard !isCron else { return ["then: crontab -e, as \(run.user)"] }
    let place = folder == "/etc/systemd/system" ? "" : "put the files into /etc/systemd/system, "
    let watch = run.watched.isEmpty ? "" : " \(run.name)-watch.path"
    return [
      "then: \(place)systemctl daemon-reload && systemctl enable --now \(run.name).timer\(watch)",
      "try it: systemctl start \(run.name).service; journalctl -u \(run.name).service",
    ]
  }

  /// Writes a file, unless a different one exists.
  private static func write(_ text: String, as name: String, in folder: String) throws {
    let directory = try Directory.open(folder)
    let bytes = Array(text.utf8)
    guard try !directory.contains(name) else {
      guard try directory.openFile(name).readAll(limit: 1 << 20) == bytes else {
        throw PlaceError.wouldOverwrite(path: "\(folder)/\(name)")
      }
      return
    }
    try directory.writeWhole(bytes, as: name, permissions: 0o644, replacing: false)
  }
}

/// `schedule print --json`.
struct ScheduleDocument: Encodable {
  struct File: Encodable {
    let name: String
    let path: String?
    let text: String
  }

  let schema = "fueki.schedule/1"
  let files: [File]

  init(_ files: [(name: String, text: String)], folder: String?) {
    self.files = files.map { file in
      File(name: file.name, path: folder.map { "\($0)/\(file.name)" }, text: file.text)
    }
  }
}
