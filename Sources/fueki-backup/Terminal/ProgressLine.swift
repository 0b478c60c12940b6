internal import FuekiBackup
internal import FuekiSystem

/// Reports the progress of a long run to a user or a program, and detects requests to stop.
final class ProgressLine {
  private let style: ProgressStyle?
  private let isTerminal: Bool
  private let start = SystemClock.workingSeconds
  private var lastShown: Double?
  private var lastText = ""
  /// The step that is going on, and when it began.
  private var step = ""
  private var stepStart = 0.0
  private var isLineOpen = false

  private static let plainSeconds = 10.0

  /// - Parameters:
  ///   - style: nil shows a line on a terminal and nothing in a pipe.
  ///   - isQuiet: shows nothing, whatever the style.
  init(style: ProgressStyle?, isQuiet: Bool) {
    self.style = isQuiet ? ProgressStyle.none : style
    isTerminal = StandardStream.error.isTerminal
  }

  deinit { clear() }

  /// Shows the current step.
  ///
  /// - Throws: ``Interrupted`` after an interruption, which ends the run in good order.
  func show(_ text: String, _ amount: ProgressAmount? = nil) throws {
    guard !Interruption.wasRequested else { throw Interrupted() }
    let now = SystemClock.workingSeconds
    if text != step { (step, stepStart) = (text, now) }
    let since = lastShown.map { now - $0 } ?? .infinity
    switch style {
    case .plain:
      guard since >= Self.plainSeconds else { return }
      try? StandardStream.error.write("\(sentence(amount, now))\n")
    case .json:
      guard text != lastText || since > 1 else { return }
      let share = amount?.fraction.map { ",\"fraction\":\(Double(Int($0 * 1000)) / 1000)" } ?? ""
      try? StandardStream.error.write("{\"progress\":\(TerminalText.quoted(text))\(share)}\n")
    case nil where isTerminal:
      guard now - start > 1, since > 0.2 else { return }
      let line = sentence(amount, now)
      let shown = StandardStream.error.columns.map { DisplayWidth.prefix(line, $0 - 1) } ?? line
      try? StandardStream.error.write("\r\u{1B}[K\(shown)")
      isLineOpen = true
    default: return
    }
    lastText = text
    lastShown = now
  }

  private func sentence(_ amount: ProgressAmount?, _ now: Double) -> String {
    let detail = amount?.sentence(after: now - stepStart) ?? ""
    return TerminalText.line(step) + (detail.isEmpty ? "" : ", \(detail)")
  }

  /// Removes the line, before something else is written.
  func clear() {
    guard isLineOpen else { return }
    try? StandardStream.error.write("\r\u{1B}[K")
    isLineOpen = false
  }
}

/// How far a step is.
struct ProgressAmount {
  enum Unit {
    case bytes
    case records
    /// A percentage of an unstated quantity.
    case percent
  }

  let done: UInt64
  /// 0 if unknown.
  let all: UInt64
  let unit: Unit

  var fraction: Double? { all > 0 ? Double(min(done, all)) / Double(all) : nil }

  /// Returns percentage, rate and time left, as far as known.
  func sentence(after seconds: Double) -> String {
    var parts: [String] = []
    if let fraction { parts.append("\(Int(fraction * 100)) %") }
    guard seconds >= 1, done > 0 else { return parts.joined(separator: ", ") }
    let rate = Double(done) / seconds
    switch unit {
    case .bytes: parts.append("\(Readable.bytes(UInt64(rate)))/s")
    case .records: parts.append("\(UInt64(rate)) records/s")
    case .percent: break
    }
    if let fraction, fraction >= 0.05, fraction < 1 {
      parts.append("\(Readable.span(seconds * (1 - fraction) / fraction)) left")
    }
    return parts.joined(separator: ", ")
  }
}
