internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// How long to wait for another run of this machine.
struct LockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Wait up to this long for another run: 90s, 10m, 2h.", valueName: "duration", visibility: .more))
  var wait: DurationArgument?

  /// Takes this machine's lock for a run of the command.
  ///
  /// - Parameters:
  ///   - purpose: shown to a run that finds the lock taken.
  ///   - output: reports the wait, and that a policy applies from now on.
  ///   - configuration: the one whose policy the command follows; nil for a command without a policy.
  /// - Returns: the state, locked.
  /// - Throws: ``StateError/locked(owner:)`` if another run still holds the lock, and system errors.
  func take(
    _ purpose: String, _ output: OutputOptions, following configuration: Configuration? = nil
  ) throws -> LockedState {
    let state = try take(purpose, output.progressLine)
    // All that follow a policy begin here, so that none of them accepts an earlier version afterwards.
    if let configuration, let policy = configuration.policy, try policy.record(state) {
      policy.announce(configuration.candidates, output.console)
    }
    return state
  }

  private func take(_ purpose: String, _ progress: ProgressLine) throws -> LockedState {
    defer { progress.clear() }
    return try Places.state().lock(
      purpose: purpose, processID: CurrentProcess.identifier,
      start: Times.text(UInt64(max(0, SystemClock.now) / 1_000_000)), wait: wait?.seconds ?? 0
    ) { owner in
      try progress.show("waiting for another run" + (owner.map { " (\($0))" } ?? ""))
    }
  }
}
