internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The user, or a signal, ended the run.
public struct Interrupted: Error, Equatable, Sendable {
  /// Ends the run.
  public init() {}

  /// Returns whether an error reports that an interruption ended the work.
  package static func isCause(of error: any Error) -> Bool {
    switch error {
    case is Interrupted, CryptoError.interrupted: true
    case let error as SystemError: error.isInterrupted
    case ArchiveError.unreadable(let error): error.isInterrupted
    default: false
    }
  }
}
