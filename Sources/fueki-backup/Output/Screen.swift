internal import FuekiSystem

/// How lines look at one of the standard streams: broken to the terminal's width and sparingly coloured, or as they are.
struct Screen {
  /// Where lines are broken; nil in a file, in a pipe, and on a terminal that does not say how wide it is.
  let columns: Int?
  let hasColour: Bool

  init(columns: Int?, hasColour: Bool) { (self.columns, self.hasColour) = (columns, hasColour) }

  init(_ stream: StandardStream) {
    guard stream.isTerminal else {
      self.init(columns: nil, hasColour: false)
      return
    }
    let isPlain = Environment.get("TERM") == "dumb" || !(Environment.get("NO_COLOR") ?? "").isEmpty
    self.init(columns: stream.columns, hasColour: !isPlain)
  }

  /// A line as it is shown, without its end.
  func shown(_ line: String, _ tone: Tone = .plain) -> String {
    let tone = tone == .plain ? Tone(ofLine: line) : tone
    let broken = columns.map { LineBreaks.broken(line, columns: $0) } ?? line
    guard hasColour, let code = tone.code else { return broken }
    guard let mark = tone.markedCount, broken.count >= mark else {
      return "\u{1B}[\(code)m\(broken)\u{1B}[0m"
    }
    return "\u{1B}[\(code)m\(broken.prefix(mark))\u{1B}[0m\(broken.dropFirst(mark))"
  }
}
