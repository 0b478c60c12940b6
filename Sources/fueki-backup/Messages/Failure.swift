internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// An error in the form for users and scripts: the fault, its consequence for the data, and the next step.
///
/// Code that has the details throws it directly.
package struct Failure: Error {
  package let status: ExitStatus
  package let message: String
  package var meaning: String?
  package var hint: String?
  /// Records that are there already and differ.
  var conflicts: [RestoreConflict] = []
  /// Where the others come from.
  var conflictOrigin = ConflictOrigin.archive
  /// The numbers of archives that an interrupted verification has verified, and was to verify.
  var progress: (verified: Int, archives: Int)?

  init(_ status: ExitStatus, _ message: String, meaning: String? = nil, hint: String? = nil) {
    self.status = status
    self.message = message
    self.meaning = meaning
    self.hint = hint
  }

  static func usage(_ message: String) -> Failure {
    Failure(.usage, message, meaning: "nothing was done")
  }

  /// Returns the failure of an interrupted verification.
  ///
  /// - Parameters:
  ///   - verified: the number of archives that were verified.
  ///   - count: the number of archives to verify.
  ///   - recorded: whether this machine records damage that was found.
  /// - Returns: the failure.
  static func interrupted(verified: Int, of count: Int, recorded: Bool) -> Failure {
    var failure = Failure(
      .interrupted, "interrupted: \(verified) of \(Readable.count(count, "archive")) verified",
      meaning: "nothing half-written is left" + (recorded ? ", and damage found so far is recorded" : ""))
    failure.progress = (verified, count)
    return failure
  }

  /// Adds the consequence and the next step if the error has none of its own.
  mutating func complete(_ operation: Operation, _ path: CommandPath) {
    guard status == .usage || status == .notFound else { return }
    meaning = meaning ?? operation.outcome
    hint = hint ?? path.helpHint
  }

  /// Writes the failure to standard error, or as the one JSON document to standard output; to standard error also where
  /// the document cannot be written.
  func print(isJSON: Bool) {
    if isJSON {
      Document.write(document)
      guard StandardOutput.hasFailed else { return }
    }
    try? StandardStream.error.write(text)
  }

  /// The one JSON document of a run that fails.
  var document: ErrorDocument {
    ErrorDocument(
      schema: "fueki.error/1", code: status.rawValue, id: status.id, message: message,
      meaning: meaning, hint: hint ?? meaning ?? "",
      conflicts: conflicts.isEmpty ? nil : conflicts.map(ConflictDocument.init),
      verified: progress?.verified, archives: progress?.archives)
  }

  /// The lines for standard error.
  var text: String {
    var lines = ["error: \(TerminalText.line(message))"]
    lines += conflicts.map { "  \(TerminalText.line($0.line(of: conflictOrigin)))" }
    if let meaning { lines.append("  \(TerminalText.line(meaning))") }
    if let hint { lines.append("  hint: \(TerminalText.line(hint))") }
    let screen = Screen(.error)
    return lines.map { screen.shown($0) + "\n" }.joined()
  }
}

/// The JSON form of a failure.
struct ErrorDocument: Encodable {
  let schema: String
  let code: Int32
  let id: String
  let message: String
  let meaning: String?
  let hint: String
  let conflicts: [ConflictDocument]?
  let verified: Int?
  let archives: Int?
}
