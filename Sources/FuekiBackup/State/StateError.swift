internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// An error in this machine's state that stops a run.
public enum StateError: Error, Equatable, Sendable {
  /// Another run holds the lock.
  case locked(owner: String?)
  /// A file of the state cannot be read.
  case damaged(path: String)
}

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
