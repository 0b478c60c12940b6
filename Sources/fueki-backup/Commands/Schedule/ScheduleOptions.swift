internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

/// The run that is scheduled, and its secrets.
struct ScheduleOptions: ParsableArguments {
  @Flag(help: "Practise a restore of the newest archive every Sunday, instead of a backup every night.")
  var drill = false
  @Flag(help: "Also make an archive whenever a channel backup or a slashing record changes.")
  var watch = false
  @Option(help: ArgumentHelp("The time of day, in the machine's time zone.", valueName: "hh:mm"))
  var at = "02:30"
  @Flag(help: "Allow the run to use the network.")
  var network = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var secrets: ScheduledSecretOptions

  func validate() throws {
    guard drill || secrets.identity == nil else {
      throw ValidationError("--identity is for --drill: a backup is made with public keys alone")
    }
    guard time != nil else { throw ValidationError("--at takes a time such as 02:30") }
  }

  private var time: (hour: Int, minute: Int)? {
    let parts = at.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.allSatisfy(\.isNumber) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
    else { return nil }
    return (hour, minute)
  }

  /// Returns the run of a user, with the configuration, targets and places that are in force now.
  func scheduledRun(_ name: String, _ console: Console) throws -> ScheduledRun {
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
      console.warning(
        "the run will not have \(variable), which may be a secret: see fueki-backup-schedule(1)")
    }
    for missing in secrets.missing(job, vault, datadir: data) {
      console.warning("no one will be there to type \(missing)")
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

  /// A vault's name as a unit's name can have it.
  private static func plain(_ name: String) -> String {
    String(
      name.unicodeScalars.map { scalar -> Character in
        let isPlain =
          scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_".unicodeScalars.contains(scalar))
        return isPlain ? Character(scalar) : "-"
      })
  }
}

/// Files of which a change must not wait for the night: an old static channel backup misses channels, and an old
/// slashing record allows signing twice.
enum WatchedFiles {
  private static let names = ["channel*.backup", "emergency.recover", "*slashing*.json"]

  /// The files of the configured sources, in order.
  ///
  /// - Throws: ``CommandError/usage(_:)`` if there are none.
  static func all(_ configuration: Configuration) throws -> [String] {
    let listed = try configuration.vault().from ?? []
    let sources = configuration.chosenSources.flatMap { source in
      source.paths().map { "\(source.kind):\($0)" }
    }
    var unreadable: Set<ExactText> = []
    let found = Set(
      (listed + sources).compactMap(SourceName.path).flatMap { path in
        (names + names.map { "*/\($0)" }).flatMap { pattern in
          PlacePattern(pattern).paths(below: path, unreadable: &unreadable)
        } + (names.contains { NamePattern($0).matches(PathParts(path).name) } ? [path] : [])
      })
    guard !found.isEmpty else {
      throw CommandError.usage(
        "no source is a channel backup or a slashing record: fueki-backup discover --add names those that are here"
      )
    }
    return found.sorted()
  }
}

/// The settings that a scheduled run needs to find rclone and the user's current remotes.
struct RcloneSettings {
  /// The environment of the run.
  private(set) var variables: [(name: String, value: String)] = []
  /// The folder of rclone's configuration, which it updates with a server's new tokens; nil if unknown.
  private(set) var folder: String?
  /// Settings that rclone has from the environment, and that may be secret.
  let notPassedOn: [String]

  init() throws {
    notPassedOn = Environment.names(withPrefix: "RCLONE_").filter { $0 != Self.variable }.sorted()
    if let path = try Self.configuration() {
      variables.append((Self.variable, path))
      folder = Self.folder(of: path)
    } else {
      folder = Environment.get("HOME").map { "\($0)/.config/rclone" }
    }
    // Neither systemd nor cron searches the user's PATH.
    let found = ChildRun.find("rclone").map(Self.folder(of:))
    if let found, !["/usr/bin", "/bin"].contains(found) {
      variables.append(("PATH", "\(found):/usr/local/bin:/usr/bin:/bin"))
    }
  }

  private static func folder(of path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
  }

  private static let variable = "RCLONE_CONFIG"

  /// Returns the configuration file from the environment; nil if rclone looks in the user's home.
  private static func configuration() throws -> String? {
    if let given = Environment.get(variable), !given.isEmpty { return try AbsolutePath.of(given) }
    guard let folder = Environment.get("XDG_CONFIG_HOME"), folder.hasPrefix("/") else { return nil }
    let path = "\(folder)/rclone/rclone.conf"
    return (try? File.open(path)) == nil ? nil : path
  }
}

/// A scheduled run: its job, its user, its time, and its permissions.
struct ScheduledRun {
  /// The job to run.
  enum Job {
    /// A backup, every night.
    case create
    /// A restore for practice, every Sunday.
    case drill

    var command: String {
      switch self {
      case .create: "create"
      case .drill: "drill"
      }
    }

    /// The name of its units, without the vault's name.
    var unit: String {
      switch self {
      case .create: "fueki-backup"
      case .drill: "fueki-backup-drill"
      }
    }

    var title: String {
      switch self {
      case .create: "Encrypted backup of a wallet"
      case .drill: "Practice restore of a wallet's backup"
      }
    }

    /// The day, as systemd's calendar has it.
    var calendarDay: String {
      switch self {
      case .create: "*-*-*"
      case .drill: "Sun *-*-*"
      }
    }

    /// The day, as a crontab has it.
    var cronDay: String {
      switch self {
      case .create: "* * *"
      case .drill: "* * 0"
      }
    }
  }

  let job: Job
  /// The name of the unit's files.
  let name: String
  let program: String
  let user: String
  /// Hours and minutes, in the machine's own time.
  let time: (hour: Int, minute: Int)
  /// The arguments that both kinds of schedule have.
  let arguments: [String]
  let secrets: [ScheduledSecret]
  /// The only folders that the run may write to.
  let writable: [String]
  /// Its environment.
  let environment: [(name: String, value: String)]
  /// Whether anything but files is needed.
  let usesNetwork: Bool
  /// Files that a change of makes a run at once.
  var watched: [String] = []
}
