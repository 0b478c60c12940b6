internal import FuekiBackup
internal import FuekiSystem

/// The results for an archive's recovery files.
enum ParityLines {
  /// Warns of requested recovery files that are missing.
  static func warn(_ failures: [TargetFailure], _ console: Console) {
    for failure in failures {
      let place = failure.path.isEmpty ? "" : " in \(failure.path)"
      let failure = Failure(describing: failure.error)
      console.warning(
        "the archive\(place) has no recovery files: \(failure.message)"
          + (failure.hint.map { "; \($0)" } ?? ""))
    }
  }

  /// Prints their total length.
  static func print(_ files: [ParityFile], _ console: Console) {
    guard !files.isEmpty else { return }
    let bytes = files.reduce(0) { $0 + $1.byteCount }
    console.report("recovery files next to it: \(Readable.bytes(bytes))")
  }
}
