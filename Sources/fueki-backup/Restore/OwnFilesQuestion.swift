internal import FuekiBackup
internal import FuekiSystem

/// Asks the user whether to restore files that are no wallet's.
enum OwnFilesQuestion {
  /// - Returns: false without a terminal, or if the user declines.
  static func ask(_ files: [OriginalFile]) throws -> Bool {
    guard Terminal.isAvailable else { return false }
    FilesQuestion.show(
      files, below: "The archive has files of your own, which are no wallet's:",
      end: "They go into new folders only, and cannot be run.")
    let isWanted = try Asking.yes("put your own files back too", default: false)
    if isWanted { Replay.note("--accept", "own-files") }
    return isWanted
  }
}
