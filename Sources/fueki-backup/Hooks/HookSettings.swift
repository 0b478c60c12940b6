/// A moment of a run at which a command of the user's runs.
enum Hook: String, CaseIterable {
  /// Before the work.
  ///
  /// If it fails, the work is not done.
  case before
  /// After all went well.
  case after
  /// After the exit status is another than 0.
  case failed
  /// At the end, however that was.
  case finally
}

/// The settings of `[hooks]`.
struct HookSettings {
  private var commands: [Hook: String] = [:]
  private var lines: [String: Int] = [:]
  private var file = ""

  init() {}

  init(_ entry: ConfigurationFile.Entry?, file: String) {
    self.file = file
    lines = entry?.lines ?? [:]
    for hook in Hook.allCases { commands[hook] = entry?.values[hook.rawValue]?.text }
  }

  var isEmpty: Bool { commands.isEmpty }

  /// The command for the shell.
  func command(_ hook: Hook) -> String? { commands[hook] }

  /// Returns the place of the command in the configuration.
  func place(_ hook: Hook) -> String { file + (lines[hook.rawValue].map { ", line \($0)" } ?? "") }
}
