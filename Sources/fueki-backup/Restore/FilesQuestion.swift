internal import FuekiBackup
internal import FuekiSystem

/// Asks the user whether to restore files of other programs to their home.
enum FilesQuestion {
  private static let shown = 20

  /// - Returns: nil without a terminal, or if the user declines.
  static func ask(
    _ files: [OriginalFile], _ placing: PlacingOptions, _ policy: PlacingPolicy
  ) throws -> PlacingRequest? {
    guard Terminal.isAvailable else { return nil }
    show(files, below: "The archive has files of other programs:", end: "Existing files stay as they are.")
    // Nothing is overwritten, so that the usual answer takes nothing away.
    let isWanted = try Asking.yes("put them back into your home", default: true)
    Replay.note("--files", isWanted ? "home" : "none")
    guard isWanted else { return nil }
    return try placing.request(.home, policy, isMine: true)
  }

  /// Lists the first of the files between two sentences.
  static func show(_ files: [OriginalFile], below title: String, end: String) {
    var lines = [title] + files.prefix(shown).map { "  \($0.placeText)" }
    if files.count > shown { lines.append("  and \(files.count - shown) more") }
    Asking.say(lines + [end])
  }
}
