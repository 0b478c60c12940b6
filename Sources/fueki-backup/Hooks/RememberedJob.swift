internal import FuekiBackup
internal import FuekiSystem

/// A backup job whose failure is remembered, so that `status` reports it until the job succeeds.
///
/// The archives of a night that failed are as good as the day before, and would show nothing until they are too old.
struct RememberedJob {
  private let job: BackupJob

  /// A run of the job.
  init(_ job: BackupJob) { self.job = job }

  /// Remembers how the run ended.
  ///
  /// - Parameter error: nil for a success.
  func note(_ error: (any Error)?) {
    // A machine that never kept anything has a person before it.
    guard let state = try? Places.state(), state.exists else { return }
    let told = error.map(Self.withoutExplanation)
    // A status alone says that all was reported.
    let failure = told is ExitStatus ? nil : told.map(Failure.init(describing:))
    switch told as? ExitStatus ?? failure?.status {
    // An archive was made, or the losses that prevented it are remembered with the vault.
    case nil, .partial, .differs: try? state.noteSuccess(of: job)
    // The next run is as likely to succeed as before.
    case .interrupted, .brokenPipe, .locked: return
    // "status" itself tries the secret, and looks for targets.
    case .wrongSecret: return
    case .notFound where error is TargetError: return
    // A person reads it at once, and types it again. A timer uses the same options each night.
    case .notFound where Terminal.isAvailable, .usage where Terminal.isAvailable: return
    case .some(let status):
      let reason = failure?.message ?? "see its output"
      try? state.note(
        FailedRun(of: job, time: SystemClock.now / 1_000_000, status: status.rawValue, reason: reason))
    }
  }

  /// Another program's words may contain secrets, and would outlive their cause.
  private static func withoutExplanation(_ error: any Error) -> any Error {
    guard let error = error as? SystemError, error.explanation != nil else { return error }
    return SystemError(code: error.code, call: error.call, path: error.path)
  }
}

extension Configuration {
  /// Returns sentences about the configured vaults' backups that failed, or about a record that cannot be read.
  ///
  /// The oldest failure comes first.
  func failedBackups(of path: String, in state: StateDirectory, now: Int64) -> [String] {
    let names = Set(candidates.map { $0.name ?? "" } + (vaults.isEmpty ? [""] : []))
    do {
      return try state.failedRuns().filter {
        $0.job.configuration == ExactText(path) && names.contains($0.job.vault)
      }
      .map { run in
        let whose = run.job.vault.isEmpty ? "" : " of \(run.job.vault)"
        let age = run.time <= now ? "\(Readable.age(now - run.time)) ago, " : ""
        let options =
          run.job.options.isEmpty ? "" : " (\(run.job.options.map(\.text).joined(separator: " ")))"
        return "the last backup\(whose) failed \(age)with \(run.status)\(options): \(run.reason)"
      }
    } catch {
      return [Failure(describing: error).message]
    }
  }
}
