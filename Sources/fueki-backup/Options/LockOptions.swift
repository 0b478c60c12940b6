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
  ///   - output: reports the wait.
  /// - Returns: the state, locked.
  /// - Throws: ``StateError/locked(owner:)`` if another run still holds the lock, and system errors.
  func take(_ purpose: String, _ output: OutputOptions) throws -> LockedState {
    let progress = try output.progressLine
    defer { progress.clear() }
    return try Places.state().lock(
      purpose: purpose, processID: CurrentProcess.identifier,
      start: Times.text(UInt64(max(0, SystemClock.now) / 1_000_000)), wait: wait?.seconds ?? 0
    ) { owner in
      try progress.show("waiting for another run" + (owner.map { " (\($0))" } ?? ""))
    }
  }
}
