internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

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
  var document: Members {
    [
      "schema": "fueki.error/1", "code": status.rawValue, "id": status.id, "message": message,
      "meaning": meaning, "hint": hint ?? meaning ?? "",
      "conflicts": conflicts.isEmpty ? nil : conflicts.map(\.document),
      "verified": progress?.verified, "archives": progress?.archives,
    ]
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

/// An error that has a sentence, a hint and an exit status of its own: its messages, at one place.
protocol Explained: Error {
  var failure: Failure { get }
}

/// An error that usually appears as a part of another, and has only a sentence.
protocol Worded: Explained {
  var sentence: String { get }
}

extension Worded {
  var failure: Failure { Failure(.failed, sentence) }
}

extension Interrupted: Explained {
  var failure: Failure { Failure(.interrupted, "interrupted", meaning: "nothing half-written is left") }
}

extension Failure: Explained {
  var failure: Failure { self }

  /// Finds the sentence, the hint and the exit status of any error.
  package init(describing error: any Error) {
    self =
      (error as? any Explained)?.failure
      ?? Failure(.failed, "the run was stopped by an error that this program has no words for")
  }
}

/// The operation that a failure stopped, which determines its outcome and the advice.
package enum Operation: String, CaseIterable {
  case create
  case `import`
  case restore
  case export
  case diff
  case resync
  /// A command whose work is a change.
  case change

  /// Finds the operation of a command.
  init(ofCommand name: String) { self = Operation(rawValue: name) ?? .change }

  /// The part that did not happen.
  var outcome: String {
    switch self {
    case .create: "no archive was made"
    case .import: "nothing was imported"
    case .restore: "nothing was restored"
    case .export: "nothing was exported"
    case .diff: "nothing was compared"
    case .resync: "nothing was asked"
    case .change: "nothing was changed"
    }
  }
}

extension Failure {
  /// Describes an error in terms of the operation that it stopped.
  ///
  /// A locked keychain, or a damaged store, stops many commands, but only `create` can mention a backup.
  package init(describing error: any Error, during operation: Operation) {
    self.init(describing: error)
    switch error {
    case CollectError.keychain(let problem): tell(problem, during: operation)
    case let error as KeychainError:
      if let problem = error.problem { tell(problem, during: operation) }
    case StoreError.damaged:
      meaning =
        operation == .create ? "a backup of it would be damaged too, so none was made" : operation.outcome
    case PlaceError.wouldOverwrite:
      if let option = Self.option(of: operation) {
        hint = "choose a folder that does not exist yet, with \(option) DIR"
      }
    case ArchiveError.damaged: meaning = "what is in the damaged part cannot be trusted; \(operation.outcome)"
    case RecordsError.malformedRecord, is SecretRecordError: meaning = operation.outcome
    case RecordsError.newerRecords: meaning = "the archive is not damaged; \(operation.outcome)"
    default: break
    }
  }

  /// Returns the option for another output path of the operation.
  private static func option(of operation: Operation) -> String? {
    switch operation {
    case .restore, .import: "--datadir"
    case .export: "--output"
    case .create, .diff, .resync, .change: nil
    }
  }

  private mutating func tell(_ problem: CollectError.KeychainProblem, during operation: Operation) {
    switch problem {
    case .wrongSecret, .notThere:
      guard operation == .create else { return meaning = operation.outcome }
      meaning = "a backup without its key shares could not bring the money back, so none was made"
      hint = "\(hint ?? ""), or leave the secrets out with --exclude secrets"
    case .missingSecret, .damaged, .newer: break
    }
  }
}
