internal import ArgumentParser
internal import FuekiSystem

extension ArgumentVisibility {
  /// An option that only `--help-all` lists; shells complete it like any other.
  static var more: ArgumentVisibility { HelpLevel.isForShells ? .default : .hidden }
}

/// How much of the options a run shows.
enum HelpLevel {
  /// The option that lists all options of a command.
  static let all = "--help-all"
  /// The parser's name for it.
  private static let parsers = "--help-hidden"

  /// Whether this run writes a shell's completions, as `install` does too.
  static let isForShells =
    CurrentProcess.arguments.dropFirst().contains {
      $0.hasPrefix("--generate-completion-script") || $0 == "---completion"
    } || CurrentProcess.arguments.dropFirst().first == "install"

  /// The arguments with the parser's name for the option.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].map { $0 == all ? parsers : $0 } + arguments[end...]
  }
}
