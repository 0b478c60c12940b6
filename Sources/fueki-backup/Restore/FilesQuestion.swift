internal import FuekiBackup
internal import FuekiSystem

/// Asks a person whether files of other programs go back into their home.
enum FilesQuestion {
  /// - Returns: nil where nobody is there, or says no.
  static func ask(
    _ files: [OriginalFile], _ placing: PlacingOptions, _ policy: PlacingPolicy
  ) throws -> PlacingRequest? {
    guard Terminal.isAvailable else { return nil }
    var lines = ["the archive has files of other programs:"]
    lines += files.prefix(20).map { "  \($0.placeText)" }
    if files.count > 20 { lines.append("  and \(files.count - 20) more") }
    try StandardStream.error.write(lines.map(TerminalText.line).joined(separator: "\n") + "\n")
    let answer = try Terminal.readLine(
      prompt: TerminalText.line("put them back into your home? type \"yes\": "))
    guard answer == "yes" else { return nil }
    return try placing.request(.home, policy, isMine: true)
  }
}
