internal import FuekiBackup
internal import FuekiSystem

/// How progress is shown.
enum ProgressStyle: String, CaseIterable {
  case plain
  case json
  case none
}

/// Tells a person, or a program, what a long run is doing; and notices when it is asked to stop.
final class ProgressLine {
  private let style: ProgressStyle?
  private let isTerminal: Bool
  private let start = SystemClock.monotonicSeconds
  private var lastShown = 0.0
  private var lastText = ""
  private var isLineOpen = false

  /// - Parameters:
  ///   - style: nil shows a line on a terminal and nothing in a pipe.
  ///   - isQuiet: shows nothing, whatever the style.
  init(style: ProgressStyle?, isQuiet: Bool) {
    self.style = isQuiet ? ProgressStyle.none : style
    isTerminal = StandardStream.error.isTerminal
  }

  deinit { clear() }

  /// Shows what is being done.
  ///
  /// - Throws: ``Interrupted`` after an interruption, which ends the run in good order.
  func show(_ text: String, fraction: Double? = nil) throws {
    guard !Interruption.wasRequested else { throw Interrupted() }
    let now = SystemClock.monotonicSeconds
    switch style {
    case .plain:
      guard text != lastText else { return }
      try? StandardStream.error.write("\(TerminalText.line(text))\n")
    case .json:
      guard text != lastText || now - lastShown > 1 else { return }
      let share = fraction.map { ",\"fraction\":\(Double(Int($0 * 1000)) / 1000)" } ?? ""
      try? StandardStream.error.write("{\"progress\":\(TerminalText.quoted(text))\(share)}\n")
    case nil where isTerminal:
      guard now - start > 1, now - lastShown > 0.2 else { return }
      let percent = fraction.map { " \(Int($0 * 100)) %" } ?? ""
      try? StandardStream.error.write("\r\u{1B}[K\(TerminalText.line(text))\(percent)")
      isLineOpen = true
    default: return
    }
    lastText = text
    lastShown = now
  }

  /// Removes the line, before something else is written.
  func clear() {
    guard isLineOpen else { return }
    try? StandardStream.error.write("\r\u{1B}[K")
    isLineOpen = false
  }
}
