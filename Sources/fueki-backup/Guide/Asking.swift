internal import FuekiBackup
internal import FuekiSystem

/// How a person is asked: a line with its default in brackets, and again where the answer cannot be taken.
enum Asking {
  /// How often the same thing is asked for.
  static let tries = 3

  /// Asks for a line; an empty answer is the default.
  ///
  /// What `take` cannot make an answer of is asked for again with what was wrong; the last time it fails as it does
  /// with no terminal. The question has no colon; `usual` is the answer that an empty line stands for.
  static func line<Answer>(
    _ question: String, default usual: String?, take: (String) throws -> Answer
  ) throws -> Answer {
    let shown = usual.map { $0.isEmpty ? "" : " [\($0)]" } ?? ""
    return try repeatedly { complaint in
      let answer = try Terminal.readLine(prompt: prompt("\(question)\(shown):", after: complaint)) ?? ""
      return try take(answer.isEmpty ? usual ?? "" : answer)
    }
  }

  /// Asks until an answer can be taken, at most three times.
  ///
  /// `body` asks: its argument is what was wrong with the answer before, to be shown before the question. What it throws
  /// the last time is thrown, and at once what is no fault of an answer.
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
        throw Failure(.usage, "there is no such number; type one from 1 to \(count)")
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

  /// Says something between questions, on the terminal that is asked.
  static func say(_ lines: [String]) {
    let screen = Screen(.error)
    try? StandardStream.error.write(lines.map { screen.shown(TerminalText.line($0)) + "\n" }.joined())
  }

  /// Says what is already as the terminal shows it, such as what was wrong with an answer.
  static func say(shown text: String) { try? StandardStream.error.write(text) }

  /// Says a line that may be copied, and so is never broken.
  static func say(verbatim line: String) {
    try? StandardStream.error.write(TerminalText.line(line) + "\n")
  }

  /// A question as the terminal shows it, behind what was wrong with the answer before.
  static func prompt(_ question: String, after complaint: String = "") -> String {
    let screen = Screen(.error)
    return complaint + screen.shown(TerminalText.line(question)) + " "
  }
}

/// What is wrong with an answer, where another answer may be right; never what was typed.
enum AnswerFault {
  /// A whole sentence; nil of an error that another answer would not mend.
  static func sentence(of error: any Error) -> String? {
    switch error {
    case CommandError.weakPassphrase(let time): "This passphrase can be guessed: it lasts \(time)."
    case CommandError.passphrasesDiffer: "The two passphrases differ."
    case CommandError.noPassphrase(let problem): "Not a valid passphrase: \(problem.sentence)."
    case CommandError.usage(let message): capital(message)
    case CommandError.secretUnreadable(_, let reason): "No secret could be read from there: \(reason)."
    case CommandError.othersCanRead(let path): "Others can read \(path). To protect it: chmod 600 \(path)."
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
