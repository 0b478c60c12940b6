public import FuekiSystem

/// Why an age plugin could not create or open a slot.
public struct PluginFailure: Error, Equatable, Sendable {
  /// The program, such as `age-plugin-yubikey`.
  public let program: String
  /// The fault.
  public let fault: Fault

  /// Creates a failure.
  public init(program: String, fault: Fault) {
    self.program = program
    self.fault = fault
  }

  /// The faults of a plugin.
  public enum Fault: Error, Equatable, Sendable {
    /// No directory of `PATH` has it.
    case notInstalled
    /// It could not be started, or communication failed.
    case system(SystemError)
    /// It ended early, with this as the end of its standard error.
    case ended(ChildEnding?, errors: String)
    /// It exceeded the time limit.
    case timedOut
    /// It violated the age-plugin protocol.
    case broke(Breach)
    /// It refused, in its own words.
    case refused(String)
    /// It asked a question, in its own words, in an unattended run.
    case unanswered(String)
    /// It returned no key.
    case noKey
    /// The key that it returned opens nothing.
    case wrongKey
    /// There is no memory for its output.
    case outOfMemory
  }

  /// The violations of the protocol.
  public enum Breach: Hashable, Sendable {
    /// A line is not part of a valid stanza.
    case malformed
    /// A line or body exceeds the format's limits, or there are more than any plugin needs.
    case tooLong
    /// A command is invalid in the current state.
    case outOfPlace
    /// Its stanzas do not fit in a slot.
    case stanzas
  }
}
