internal import FuekiArchive
internal import FuekiBackup
internal import FuekiStore
internal import FuekiWallet

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
