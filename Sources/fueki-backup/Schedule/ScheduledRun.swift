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
