package import FuekiBackup
package import FuekiCrypto
package import FuekiSystem

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

  init(_ status: ExitStatus, _ message: String, meaning: String? = nil, hint: String? = nil) {
    self.status = status
    self.message = message
    self.meaning = meaning
    self.hint = hint
  }

  static func usage(_ message: String) -> Failure {
    Failure(.usage, message, meaning: "nothing was done")
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
      conflicts: conflicts.isEmpty ? nil : conflicts.map(ConflictDocument.init))
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
}

/// An error of the command line itself.
package enum CommandError: Error, Equatable {
  case usage(String)
  case configuration(ConfigurationProblem)
  case noSecret(Secret)
  case secretUnreadable(source: String, reason: String)
  case othersCanRead(path: String)
  case othersCanChange(path: String, ForeignHand)
  case weakPassphrase(time: String)
  case passphrasesDiffer
  case notVaultsPassphrase
  case noPassphrase(PassphraseProblem)
  case noPassphraseIn(path: String, PassphraseProblem)
  case privateKeysToSynced(target: String)
  case noSecretGiven(depth: String)
  case comparisonFailed(String)
  case closedSlots([Int])
  case signingKey(path: String, SigningKeyError)

  /// Which secret is missing.
  package enum Secret: String, CaseIterable {
    case archive = "the archive's passphrase"
    case identity = "an age identity that opens the archive"
    case shares = "the guardians' words that open the archive"
    case keychain = "what opens the wallet's keychain"
    case newArchive = "a new passphrase for the archive"
    case newKeychain = "a passphrase for the new machine's keychain"
    case signing = "the signing key's passphrase"
    case newSigning = "a passphrase for the new signing key"
    case source = "the passphrase of what is imported"
    case endpoint = "an endpoint's key"
  }
}
