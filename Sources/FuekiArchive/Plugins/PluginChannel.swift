public import FuekiCrypto
internal import FuekiSystem

/// Where a plugin's bytes come from, and where it gets its own.
package protocol PluginChannel: AnyObject {
  /// Waits for bytes; 0 where there will be no more.
  func read(into buffer: inout MutableSpan<UInt8>) throws(PluginFailure.Fault) -> Int
  func write(_ bytes: Span<UInt8>) throws(PluginFailure.Fault)
  /// How it ended, where it said nothing more.
  func finish() -> PluginFailure.Fault
}

/// Who answers a plugin's questions.
///
/// All that it says is a stranger's text.
public protocol PluginPerson: Sendable {
  /// Shows a message; false where nobody can see it.
  func show(_ message: String, of program: String) -> Bool
  /// Asks for one of two answers; nil where nobody can be asked.
  func confirm(_ message: String, yes: String, no: String?, of program: String) -> Bool?
  /// Asks for something that everyone may see; nil where nobody can be asked.
  func answer(_ message: String, of program: String) -> String?
  /// Asks for a secret; nil where nobody can be asked.
  func secret(_ message: String, of program: String) -> SharedSecret?
}

/// How age's plugins are found, run and answered.
public struct AgePlugins: Sendable {
  /// How many seconds a plugin may take in all, without those in which a person thinks.
  public static let patience = 120.0

  let person: any PluginPerson
  let start: @Sendable (_ program: String, _ machine: String) throws(PluginFailure.Fault) -> any PluginChannel

  /// Plugins on `PATH`, of which absolute folders count.
  ///
  /// - Parameters:
  ///   - person: who answers.
  ///   - patience: how many seconds a plugin may take.
  public init(asking person: any PluginPerson, patience: Double = AgePlugins.patience) {
    self.init(asking: person, patience: patience) { ChildRun.find($0) }
  }

  /// Plugins that are found another way.
  package init(
    asking person: any PluginPerson = NobodyToAsk(), patience: Double,
    finding find: @escaping @Sendable (String) -> String?
  ) {
    self.init(asking: person) { (program, machine) throws(PluginFailure.Fault) in
      guard let path = find(program) else { throw .notInstalled }
      return try PluginProcess(path, machine, patience)
    }
  }

  /// Plugins that come another way.
  package init(
    asking person: any PluginPerson = NobodyToAsk(),
    start: @escaping @Sendable (String, String) throws(PluginFailure.Fault) -> any PluginChannel
  ) {
    self.person = person
    self.start = start
  }

  /// Where a plugin's program is; nil where no folder of `PATH` has it.
  public static func path(of name: String) -> String? { ChildRun.find("age-plugin-\(name)") }

  /// Plugins that nobody answers.
  public static let unattended = AgePlugins(asking: NobodyToAsk())
}

/// Nobody: a plugin that asks gets no answer.
package struct NobodyToAsk: PluginPerson {
  package init() {}
  package func show(_: String, of _: String) -> Bool { false }
  package func confirm(_: String, yes _: String, no _: String?, of _: String) -> Bool? { nil }
  package func answer(_: String, of _: String) -> String? { nil }
  package func secret(_: String, of _: String) -> SharedSecret? { nil }
}

/// What a plugin once said, or might: it does not listen.
package final class RecordedPlugin: PluginChannel {
  private var rest: ArraySlice<UInt8>

  package init(_ words: [UInt8]) { rest = words[...] }

  package func read(into buffer: inout MutableSpan<UInt8>) -> Int {
    let count = min(buffer.count, rest.count)
    for index in 0..<count { buffer[index] = rest[rest.startIndex + index] }
    rest = rest.dropFirst(count)
    return count
  }

  package func write(_: Span<UInt8>) {}
  package func finish() -> PluginFailure.Fault { .ended(nil, errors: "") }
}

/// A plugin that runs.
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
