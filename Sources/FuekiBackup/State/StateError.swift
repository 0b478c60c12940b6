/// What stops a run at this machine's state.
public enum StateError: Error, Equatable, Sendable {
  /// Another run holds the lock.
  case locked(owner: String?)
  /// A file of the state cannot be read.
  case damaged(path: String)
}

/// The person, or a signal, ended the run.
public struct Interrupted: Error, Equatable, Sendable {
  /// Ends the run.
  public init() {}
}
