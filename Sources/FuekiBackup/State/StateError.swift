/// An error in this machine's state that stops a run.
public enum StateError: Error, Equatable, Sendable {
  /// Another run holds the lock.
  case locked(owner: String?)
  /// A file of the state cannot be read.
  case damaged(path: String)
}
