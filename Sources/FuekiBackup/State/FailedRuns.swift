internal import FoundationEssentials
public import FuekiSystem

/// A backup that is made again and again, as a timer does.
public struct BackupJob: Codable, Equatable, Sendable {
  /// The configuration's path, from the root.
  public let configuration: ExactText
  /// The vault's name in the configuration; empty without one.
  public let vault: ExactText
  /// The options that choose only some of the sources or targets; empty for all.
  public let options: [ExactText]

  /// Creates a job.
  public init(configuration: String, vault: String, options: [String]) {
    (self.configuration, self.vault) = (ExactText(configuration), ExactText(vault))
    self.options = options.map(ExactText.init(_:))
  }

  /// Whether a success of this job is one of another job, too.
  fileprivate func includes(_ other: BackupJob) -> Bool {
    configuration == other.configuration && vault == other.vault
      && (options.isEmpty || options == other.options)
  }
}

/// A backup that made no archive, if no later one succeeded.
public struct FailedRun: Codable, Equatable, Sendable {
  /// The job.
  public let job: BackupJob
  /// When it ended, in seconds since 1970.
  public let time: Int64
  /// Its exit status.
  public let status: Int32
  /// The error in words, without a secret.
  public let reason: String

  /// So many characters of the error are kept.
  fileprivate static let longestReason = 300

  /// Creates a run's record.
  public init(of job: BackupJob, time: Int64, status: Int32, reason: String) {
    (self.job, self.time, self.status) = (job, time, status)
    self.reason = String(reason.prefix(Self.longestReason))
  }
}

extension StateDirectory {
  private static let failures = "failed.json"
  /// Older ones are forgotten: a line of a script may have new options each time.
  private static let mostFailures = 64

  /// Returns the last run of each job that failed, and did not succeed since.
  ///
  /// - Throws: ``StateError/damaged(path:)``, and errors from reading.
  public func failedRuns() throws -> [FailedRun] {
    guard let bytes = try read(Self.failures) else { return [] }
    guard let found = try? JSONDecoder().decode([FailedRun].self, from: Data(bytes)),
      found.allSatisfy({ Self.times.contains($0.time) && $0.reason.count <= FailedRun.longestReason })
    else {
      throw StateError.damaged(path: "\(path)/\(Self.failures)")
    }
    return found
  }

  /// Records a failed run in place of its job's previous one.
  ///
  /// It takes the lock of the activities, for a moment, because a run that fails may not hold the lock of the backups.
  ///
  /// - Throws: ``StateError/locked(owner:)`` if the file stays busy; errors from writing.
  public func note(_ failure: FailedRun) throws {
    try changeFailures { all in
      all.removeAll { $0.job == failure.job }
      all.append(failure)
    }
  }

  /// Forgets the failures of a job that succeeded.
  ///
  /// - Throws: as ``note(_:)``.
  public func noteSuccess(of job: BackupJob) throws {
    // A record that cannot be read is made again.
    let isRecorded = (try? failedRuns()).map { all in all.contains { job.includes($0.job) } } ?? true
    guard isRecorded else { return }
    try changeFailures { all in all.removeAll { job.includes($0.job) } }
  }

  private func changeFailures(_ change: (inout [FailedRun]) -> Void) throws {
    let lock = try lockActivity()
    defer { lock.unlock() }
    var all = (try? failedRuns()) ?? []
    change(&all)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    try write([UInt8](try encoder.encode(all.suffix(Self.mostFailures))), as: Self.failures)
  }
}
