internal import FuekiBackup

/// What became of an archive's recovery files.
enum ParityLines {
  /// Warns where there are none, though they were asked for.
  static func warn(_ failures: [TargetFailure], _ console: Console) {
    for failure in failures {
      let place = failure.path.isEmpty ? "" : " in \(failure.path)"
      let failure = Failure(describing: failure.error)
      console.warning(
        "the archive\(place) has no recovery files: \(failure.message)"
          + (failure.hint.map { "; \($0)" } ?? ""))
    }
  }

  /// Says how long they are together.
  static func print(_ files: [ParityFile], _ console: Console) {
    guard !files.isEmpty else { return }
    let bytes = files.reduce(0) { $0 + $1.byteCount }
    console.report("recovery files beside it: \(Readable.bytes(bytes))")
  }
}
