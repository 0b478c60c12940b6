internal import FuekiBackup
internal import FuekiSystem

/// Questions to the user: a line with its default in brackets, repeated if the answer is invalid.
enum Asking {
  /// The number of attempts for each question.
  static let tries = 3

  /// Asks for a line; an empty answer is the default.
  ///
  /// An answer that `take` rejects is requested again, with the reason. The last attempt fails like a run without a
  /// terminal. The question has no colon, and `usual` is the answer of an empty line.
  static func line<Answer>(
    _ question: String, default usual: String?, take: (String) throws -> Answer
  ) throws -> Answer {
    let shown = usual.map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
    return try repeatedly { complaint in
      let answer = try Terminal.readLine(prompt: prompt("\(question)\(shown):", after: complaint)) ?? ""
      return try take(answer.isEmpty ? usual ?? "" : answer)
    }
  }

  /// Asks for the path of a file, which `take` reads.
  ///
  /// In the sandbox of a restore, another process asks, and opens the file.
  static func file<Answer>(_ question: String, take: (String) throws -> Answer) throws -> Answer {
    guard let attendant = RestoreSandbox.current?.attendant else {
      return try line(question, default: nil) { try take(HomePath.expanded($0)) }
    }
    return try repeatedly { complaint in
      try take(attendant.askFile(prompt("\(question):", after: complaint)))
    }
  }

  /// Asks until an answer is accepted, at most three times.
  ///
  /// `body` asks: its argument is the fault of the previous answer, to show before the question. Its last error is
  /// thrown, and any error that is not an answer's fault is thrown at once.
  static func repeatedly<Answer>(_ body: (_ complaint: String) throws -> Answer) throws -> Answer {
    var complaint = ""
    for left in (1..<tries).reversed() {
      do {
        return try body(complaint)
      } catch let error {
        guard let fault = AnswerFault.sentence(of: error) else { throw error }
        complaint = Screen(.error).shown(TerminalText.line("\(fault) Try again (\(left) left).")) + "\n"
      }
    }
    return try body(complaint)
  }

  /// Asks for one of several things by its number.
  ///
  /// - Returns: its place, from 0; 0 unasked where there is one thing only.
  static func choice(of count: Int, _ question: String, default usual: Int = 0) throws -> Int {
    guard count > 1 else { return 0 }
    return try line(question, default: "\(usual + 1)") { answer in
      guard let number = Int(answer), 1...count ~= number else {
        throw Failure(.usage, "there is no such number. Type one from 1 to \(count)")
      }
      return number - 1
    }
  }

  /// Asks a question that is answered by yes or no.
  static func yes(_ question: String, default usual: Bool) throws -> Bool {
    try line("\(question), yes or no", default: usual ? "yes" : "no") { answer in
      guard let isYes = meaning(of: answer) else { throw Failure(.usage, "that is neither yes nor no") }
      return isYes
    }
  }

  /// Asks a question that only a yes or a no answers: an empty answer is asked again.
  static func yes(_ question: String) throws -> Bool {
    try line("\(question), yes or no", default: nil) { answer in
      guard let isYes = meaning(of: answer) else { throw Failure(.usage, "that is neither yes nor no") }
      return isYes
    }
  }

  /// Whether an answer means yes; nil if it means neither.
  private static func meaning(of answer: String) -> Bool? {
    switch answer.lowercased() {
    case "yes", "y": true
    case "no", "n": false
    default: nil
    }
  }

  /// Writes lines between questions, to the terminal.
  static func say(_ lines: [String]) {
    let screen = Screen(.error)
    try? StandardStream.error.write(lines.map { screen.shown(TerminalText.line($0)) + "\n" }.joined())
  }

  /// Writes text that is already in its terminal form, such as the fault of an answer.
  static func say(shown text: String) { try? StandardStream.error.write(text) }

  /// Writes a line for copying, without line breaks.
  static func say(verbatim line: String) {
    try? StandardStream.error.write(TerminalText.line(line) + "\n")
  }

  /// Returns a question in its terminal form, after the fault of the previous answer.
  static func prompt(_ question: String, after complaint: String = "") -> String {
    let screen = Screen(.error)
    return complaint + screen.shown(TerminalText.line(question)) + " "
  }
}

/// The fault of an answer that the user may correct.
///
/// It never contains the answer.
enum AnswerFault {
  /// Returns a whole sentence; nil for an error that another answer would not correct.
  static func sentence(of error: any Error) -> String? {
    switch error {
    case CommandError.weakPassphrase(let time): "This passphrase can be guessed: it lasts \(time)."
    case CommandError.passphrasesDiffer: "The two passphrases differ."
    case CommandError.noPassphrase(let problem): "Not a valid passphrase: \(problem.sentence)."
    case CommandError.usage(let message): capital(message)
    case CommandError.secretUnreadable(_, let reason): "No secret could be read from there: \(reason)."
    case CommandError.othersCanRead(let path):
      "Others can read \(path). To protect it: chmod 600 \(ShellWord.quoted(path))."
    case let failure as Failure where failure.status == .usage || failure.status == .wrongSecret:
      capital(failure.message)
    case is TargetError: capital(Failure(describing: error).message)
    case let error as SystemError where !error.isInterrupted: capital(Failure(describing: error).message)
    default: nil
    }
  }

  private static func capital(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("?") ? "" : ".")
  }
}
