internal import FuekiArchive
internal import FuekiBackup
internal import FuekiStore
internal import FuekiWallet

extension Failure {
  /// An error in the words of the command that it stopped: what became of that command's work, and what helps there.
  ///
  /// A keychain that does not open, or a store that is damaged, stops many commands; only `create` has a backup to
  /// speak of.
  package init(describing error: any Error, stopping command: String) {
    self.init(describing: error)
    let outcome = Self.outcome(of: command)
    switch error {
    case BackupError.keychain(let problem): tell(problem, stopping: command)
    case let error as KeychainError:
      if let problem = error.problem { tell(problem, stopping: command) }
    case StoreError.damaged:
      meaning = command == "create" ? "a backup of it would be damaged too, so none was made" : outcome
    case ArchiveError.damaged: meaning = "what is in the damaged part cannot be trusted; \(outcome)"
    case BackupError.malformedRecord, is SecretRecordError: meaning = outcome
    case BackupError.newerRecords: meaning = "the archive is not damaged; \(outcome)"
    default: break
    }
  }

  private mutating func tell(_ problem: BackupError.KeychainProblem, stopping command: String) {
    switch problem {
    case .wrongSecret, .notThere:
      guard command == "create" else { return meaning = Self.outcome(of: command) }
      meaning = "a backup without its key shares could not bring the money back, so none was made"
      hint = "\(hint ?? ""), or leave the secrets out with --exclude secrets"
    case .missingSecret, .damaged, .newer: break
    }
  }

  /// What did not happen, for the commands whose work is not a change.
  private static func outcome(of command: String) -> String {
    switch command {
    case "create": "no archive was made"
    case "import": "nothing was imported"
    case "restore": "nothing was restored"
    case "export": "nothing was exported"
    case "diff": "nothing was compared"
    case "resync": "nothing was asked"
    default: "nothing was changed"
    }
  }
}
