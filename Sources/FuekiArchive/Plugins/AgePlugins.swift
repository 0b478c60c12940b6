internal import FuekiSystem

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
