internal import Glibc

/// The way in which a child process ended.
public enum ChildEnding: Sendable, Equatable {
  /// The child exited with this status.
  case exited(Int32)
  /// The child was killed by this signal.
  case killed(signal: Int32)

  /// The ending as the predicate of a sentence.
  public var sentence: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    }
  }

  /// Waits for a child to end.
  package static func wait(for process: Int32) throws(SystemError) -> ChildEnding {
    var status: Int32 = 0
    _ = try systemCall("waitpid") { unsafe waitpid(process, &status, 0) }
    return ChildEnding(status)
  }

  /// Returns a child's ending if it has ended, without waiting.
  package static func poll(_ process: Int32) throws(SystemError) -> ChildEnding? {
    var status: Int32 = 0
    let ended = try systemCall("waitpid") { unsafe waitpid(process, &status, WNOHANG) }
    return ended == 0 ? nil : ChildEnding(status)
  }

  // These are macros in wait.h, which Swift cannot call.
  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }
}
