public import FuekiCrypto
public import FuekiSystem

/// Finds, runs and answers age's plugins.
public struct AgePlugins: Sendable {
  /// The time limit of a plugin in seconds, not counting the user's time to answer.
  public static let patience = 120.0

  let person: any PluginPerson
  let start: @Sendable (_ program: String, _ machine: String) throws(PluginFailure.Fault) -> any PluginChannel

  /// Finds plugins in the absolute directories of `PATH`.
  ///
  /// - Parameters:
  ///   - person: answers the plugins' questions.
  ///   - patience: the time limit of a plugin in seconds.
  public init(asking person: any PluginPerson, patience: Double = AgePlugins.patience) {
    self.init(asking: person, patience: patience) { ChildRun.find($0) }
  }

  /// Finds plugins with a given function.
  package init(
    asking person: any PluginPerson = NobodyToAsk(), patience: Double,
    finding find: @escaping @Sendable (String) -> String?
  ) {
    self.init(asking: person) { (program, machine) throws(PluginFailure.Fault) in
      guard let path = find(program) else { throw .notInstalled }
      return try PluginProcess(path, machine, patience)
    }
  }

  /// Starts plugins with a given function.
  package init(
    asking person: any PluginPerson = NobodyToAsk(),
    start: @escaping @Sendable (String, String) throws(PluginFailure.Fault) -> any PluginChannel
  ) {
    self.person = person
    self.start = start
  }

  /// Returns the path of a plugin's program; nil if no directory of `PATH` has it.
  public static func path(of name: String) -> String? { ChildRun.find("age-plugin-\(name)") }

  /// Plugins whose questions go unanswered.
  public static let unattended = AgePlugins(asking: NobodyToAsk())
}

/// A running plugin.
private final class PluginProcess: PluginChannel {
  private let dialogue: ChildDialogue

  init(_ path: String, _ machine: String, _ patience: Double) throws(PluginFailure.Fault) {
    do throws(SystemError) {
      dialogue = try ChildDialogue(
        executable: path, arguments: ["--age-plugin=\(machine)"],
        withholding: { name in
          name.hasPrefix("FUEKI_") || name.hasPrefix("RCLONE_") || name == "CREDENTIALS_DIRECTORY"
        }, patience: patience)
    } catch { throw .system(error) }
  }

  func read(into buffer: inout MutableSpan<UInt8>) throws(PluginFailure.Fault) -> Int {
    do throws(SystemError) {
      return try dialogue.read(into: &buffer)
    } catch { throw error.isTimedOut ? .timedOut : .system(error) }
  }

  func write(_ bytes: Span<UInt8>) throws(PluginFailure.Fault) {
    do throws(SystemError) {
      try dialogue.write(bytes)
    } catch {
      if error.isTimedOut { throw .timedOut }
      if error.isInterrupted { throw .system(error) }
      throw finish()
    }
  }

  func finish() -> PluginFailure.Fault {
    let (ending, errors) = dialogue.finish()
    return .ended(ending, errors: errors)
  }
}

/// Answers a plugin's questions.
///
/// All of a plugin's text is untrusted.
public protocol PluginPerson: Sendable {
  /// Shows a message; false if it cannot be shown.
  func show(_ message: String, of program: String) -> Bool
  /// Asks for one of two answers; nil if unattended.
  func confirm(_ message: String, yes: String, no: String?, of program: String) -> Bool?
  /// Asks for a public value; nil if unattended.
  func answer(_ message: String, of program: String) -> String?
  /// Asks for a secret; nil if unattended.
  func secret(_ message: String, of program: String) -> SharedSecret?
}

/// Answers no question.
package struct NobodyToAsk: PluginPerson {
  package init() {}
  package func show(_: String, of _: String) -> Bool { false }
  package func confirm(_: String, yes _: String, no _: String?, of _: String) -> Bool? { nil }
  package func answer(_: String, of _: String) -> String? { nil }
  package func secret(_: String, of _: String) -> SharedSecret? { nil }
}

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
