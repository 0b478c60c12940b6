internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// Errors of a backup's sources: which of them end the run, and why the others leave their source out.
enum SourceErrors {
  /// Why a source is left out, in one sentence; nil for a keychain that does not open and an interruption.
  static func reason(_ error: any Error) -> String? {
    guard !Interrupted.isCause(of: error) else { return nil }
    return switch error {
    case is KeychainError, CollectError.keychain: nil
    case let error as SystemError: error.sentence
    case let error as ForeignFileError: error.sentence
    case let error as WorkBudget.Exceeded: error.sentence
    case let error as ReaderError: error.sentence
    case CollectError.sourceKeepsChanging: "its files kept changing while they were read"
    default: Failure(describing: error).message
    }
  }

  /// Leaves a source out of a comparison: a warning names it, and it is not compared.
  ///
  /// - Throws: the error if it ends the run.
  static func leavingOut(_ source: any Collector, _ error: any Error, _ console: Console) throws
    -> SourceReport
  {
    guard let reason = reason(error) else { throw error }
    let isGone = (error as? SystemError)?.isNotFound == true
    console.warning(
      isGone
        ? "\(source.name) is not there, and counts as removed"
        : "\(source.name) cannot be read, and is not compared: \(reason)")
    return .failed(source.name, reason)
  }
}
