internal import FoundationEssentials
internal import FuekiSystem

/// The output of a command: results to standard output, all else to standard error.
struct Console {
  let isJSON: Bool
  let isQuiet: Bool
  let isVerbose: Bool

  /// A line of the result.
  func line(_ text: String = "", _ tone: Tone = .plain) {
    write(Screen(.output).shown(TerminalText.line(text), tone))
  }

  /// A line of the result that is copied or read by a program, and so is never broken.
  func verbatim(_ text: String) { write(TerminalText.line(text)) }

  /// Several lines of the result, of this program's own making.
  func page(_ text: String) { write(TerminalText.page(text)) }

  private func write(_ text: String) {
    guard !isJSON else { return }
    StandardOutput.write(text + "\n")
  }

  /// Prints a line about completed work, which `-q` hides, as the exit status has the same information.
  func report(_ text: String, _ tone: Tone = .plain) {
    guard !isQuiet else { return }
    line(text, tone)
  }

  /// Prints a fact for the user that is no result.
  func note(_ text: String) {
    guard !isQuiet else { return }
    try? StandardStream.error.write(Screen(.error).shown(TerminalText.line(text)) + "\n")
  }

  /// Prints a warning of a possible loss, which `-q` does not hide.
  func warning(_ text: String) {
    try? StandardStream.error.write(Screen(.error).shown("warning: \(TerminalText.line(text))") + "\n")
  }

  /// Something that only who asks for detail wants to see.
  func detail(_ text: String) {
    guard isVerbose else { return }
    note(text)
  }
}

/// Standard output, and what kept a command's results from reaching it.
///
/// All results pass here. A failed write ends no command, which may be about to publish an archive: it decides the exit
/// status instead.
enum StandardOutput {
  private enum Loss {
    /// The reader has closed the pipe.
    case brokenPipe
    case failed(reason: String)
  }

  private static let loss = Locked<Loss?>(nil)

  /// Whether results are missing for another reason than a closed pipe.
  static var hasFailed: Bool {
    if case .failed? = loss.withLock({ $0 }) { true } else { false }
  }

  /// Writes a part of the results.
  ///
  /// After a failure it writes nothing more, so that the output has no gap.
  static func write(_ text: String) {
    guard loss.withLock({ $0 == nil }) else { return }
    do throws(SystemError) {
      try StandardStream.output.write(text)
    } catch {
      record(error)
    }
  }

  /// Records results that could not be made into text.
  static func recordUnwritable(_ reason: String) {
    loss.withLock { $0 = $0 ?? .failed(reason: reason) }
  }

  /// Ends the output, and returns the status that the run ends with: its own, unless results are missing.
  static func end(_ status: ExitStatus) -> ExitStatus {
    // A remote file system may report only now that it kept nothing.
    do throws(SystemError) { try StandardStream.output.close() } catch { record(error) }
    switch loss.withLock({ $0 }) {
    case nil: return status
    case .brokenPipe: return .brokenPipe
    case .failed where Interruption.wasRequested: return .interrupted
    case .failed(let reason):
      let own =
        status == .done ? "the command itself is done" : "the command itself ended with \(status.words)"
      Failure(.failed, "\(reason). The output is not complete, and \(own)").print(
        isJSON: false)
      return .failed
    }
  }

  private static func record(_ error: SystemError) {
    loss.withLock { $0 = $0 ?? (error.isBrokenPipe ? .brokenPipe : .failed(reason: error.sentence)) }
  }
}

extension ExitStatus {
  /// The number and its name.
  fileprivate var words: String { "\(rawValue) (\(id))" }
}

/// The one JSON document that a command prints with `--json`.
package enum Document {
  /// Writes the document to standard output, keys sorted.
  static func write(_ members: Members) {
    guard let text = text(members) else {
      return StandardOutput.recordUnwritable("the results have no form in JSON")
    }
    StandardOutput.write(text)
  }

  /// Returns `value` as a line of JSON; nil if it has no form in JSON.
  ///
  /// The keys are sorted, and in snake case. The keys of a dictionary are data, and stay as they are.
  package static func text(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    guard let data = try? encoder.encode(Shielded(value: value)) else { return nil }
    return TerminalText.document(String(decoding: data, as: UTF8.self)) + "\n"
  }

  /// A document, and how well the run was shielded that made it.
  private struct Shielded<Value: Encodable>: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      try ShieldDocument().encode(to: encoder)
    }
  }
}

/// The members of an object in JSON, each name next to its value; a member whose value is nil is left out.
///
/// A document's schema says what its members are, so that no type has to list them too.
struct Members: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
  }

  private var members: [(name: String, value: (any Encodable)?)]

  init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    self.members = members.map { (name: $0, value: $1) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value { try container.encode(value, forKey: Name(stringValue: name)) }
    }
  }

  /// The members of both, which have none in common.
  static func + (one: Members, other: Members) -> Members {
    var both = one
    both.members += other.members
    return both
  }
}

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

/// The tone of a line: a verdict, or a warning.
///
/// Every meaning of a colour is also in the text.
enum Tone: Equatable, Sendable {
  case plain
  case good
  case doubtful
  case bad
  /// Only the first so many characters are bad, good or doubtful: a word like "warning:".
  indirect case mark(Tone, Int)

  /// The words that begin this program's own lines.
  ///
  /// Names from archives come after them.
  private static let marks: [(word: String, tone: Tone)] = [
    ("error:", .bad), ("warning:", .doubtful), ("PROBLEM:", .bad), ("MISSING:", .bad),
    ("LEFT IN THE ARCHIVE:", .doubtful), ("NOT BROUGHT BACK", .doubtful),
    ("Came back, and needs you:", .doubtful), ("DIFFERS", .bad), ("ok:", .good),
  ]

  init(ofLine line: String) {
    let text = line.drop { $0 == " " }
    guard let found = Self.marks.first(where: { text.hasPrefix($0.word) }) else {
      self = .plain
      return
    }
    self = .mark(found.tone, line.count - text.count + found.word.count)
  }

  /// The parameter of the terminal's "select graphic rendition" (ECMA-48, 8.3.117).
  var code: String? {
    switch self {
    case .plain: nil
    case .good: "32"
    case .doubtful: "33"
    case .bad: "31"
    case .mark(let tone, _): tone.code
    }
  }

  /// The number of the line's first characters to mark; nil for all.
  var markedCount: Int? { if case .mark(_, let count) = self { count } else { nil } }
}
