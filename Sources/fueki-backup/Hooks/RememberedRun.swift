internal import FuekiBackup
internal import FuekiSystem

/// A backup whose failure is remembered, so that `status` reports it until one succeeds.
///
/// The archives of a night that failed are as good as the day before, and would show nothing until they are too old.
struct RememberedRun {
  private let vault: String

  /// A run for the meant vault.
  init(_ configuration: Configuration) { vault = configuration.meant?.name ?? "" }

  /// Does the work.
  func run(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch {
      note(error)
      throw error
    }
    note(nil)
  }

  private func note(_ error: (any Error)?) {
    // A machine that never kept anything has a person before it.
    guard let state = try? Places.state(), state.exists else { return }
    // A status alone says that all was reported.
    let failure = error is ExitStatus ? nil : error.map(Failure.init(describing:))
    switch error as? ExitStatus ?? failure?.status {
    // An archive was made, or the run says nothing about the next one.
    case nil, .partial: try? state.note(nil, of: vault)
    case .usage, .interrupted, .brokenPipe, .locked: return
    // These losses are remembered with the vault.
    case .differs: return
    case .some(let status):
      let reason = failure?.message ?? "see what it printed"
      try? state.note(
        FailedRun(time: SystemClock.now / 1_000_000, status: status.rawValue, reason: reason), of: vault)
    }
  }
}

extension Configuration {
  /// Returns sentences about the configured vaults' last backups that failed, or about a record that cannot be read.
  ///
  /// - Parameters:
  ///   - state: this machine's state.
  ///   - now: seconds since 1970.
  /// - Returns: the sentences, by the vaults' names.
  func failedBackups(in state: StateDirectory, now: Int64) -> [String] {
    let names = picked.map { [$0.name ?? ""] } ?? vaults.map { $0.name ?? "" }
    let failed: [String: FailedRun]
    do {
      failed = try state.failedRuns()
    } catch {
      return [Failure(describing: error).message]
    }
    return Set(names.isEmpty ? [""] : names).sorted().compactMap { name in
      failed[name].map { run in
        let age = run.time <= now ? "\(Readable.age(now - run.time)) ago, " : ""
        let whose = name.isEmpty ? "" : " of \(name)"
        return "the last backup\(whose) failed \(age)with \(run.status): \(run.reason)"
      }
    }
  }
}
