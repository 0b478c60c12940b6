internal import FuekiBackup
internal import FuekiSystem

/// Asks the user whether to restore files that are no wallet's.
enum OwnFilesQuestion {
  private static let shown = 20

  /// - Returns: false without a terminal, or if the user declines.
  static func ask(_ files: [OriginalFile]) throws -> Bool {
    guard Terminal.isAvailable else { return false }
    var lines = ["The archive has files of your own, which are no wallet's:"]
    lines += files.prefix(shown).map { "  \($0.placeText)" }
    if files.count > shown { lines.append("  and \(files.count - shown) more") }
    lines.append("They go into new folders only, and cannot be run.")
    Asking.say(lines)
    let isWanted = try Asking.yes("put your own files back too", default: false)
    if isWanted { Replay.note("--accept", "own-files") }
    return isWanted
  }
}
