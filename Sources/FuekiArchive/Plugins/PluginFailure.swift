public import FuekiSystem

/// Why an age plugin made no slot, or opened none.
public struct PluginFailure: Error, Equatable, Sendable {
  /// The program, such as `age-plugin-yubikey`.
  public let program: String
  /// What was wrong.
  public let fault: Fault

  /// Describes a failure.
  public init(program: String, fault: Fault) {
    self.program = program
    self.fault = fault
  }

  /// What can be wrong with a plugin.
  public enum Fault: Error, Equatable, Sendable {
    /// No folder of `PATH` has it.
    case notInstalled
    /// It could not be started, or talked with.
    case system(SystemError)
    /// It ended before it was done, and last wrote this to its standard error.
    case ended(ChildEnding?, errors: String)
    /// It did not come to an end in time.
    case timedOut
    /// What it said is not as the age-plugin protocol has it.
    case broke(Breach)
    /// It said why it cannot do what was asked, in its own words.
    case refused(String)
    /// It asked for something, in its own words, and there was nobody to ask.
    case unanswered(String)
    /// It gave no key.
    case noKey
    /// The key that it gave opens nothing.
    case wrongKey
    /// There is no memory for what it said.
    case outOfMemory
  }

  /// How a plugin can break the protocol.
  public enum Breach: Hashable, Sendable {
    /// A line is none of a stanza's.
    case malformed
    /// A line or a body is longer than the format allows, or there are more of them than any plugin needs.
    case tooLong
    /// A command has no meaning where it stands.
    case outOfPlace
    /// Its stanzas do not fit in a slot.
    case stanzas
  }
}
