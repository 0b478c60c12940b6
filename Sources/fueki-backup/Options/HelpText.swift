internal import ArgumentParser
internal import FuekiSystem

/// The parser's help in this program's form.
enum HelpText {
  private static let width = 80
  private static let usage = "USAGE: "

  /// Returns a help text with a short usage line, and with a line for the options that it leaves out.
  ///
  /// - Parameters:
  ///   - text: the parser's text, unchanged unless it is a help.
  ///   - path: the command of the help.
  ///   - root: the program's command.
  /// - Returns: the text to print.
  static func finished(_ text: String, of path: CommandPath, _ root: any ParsableCommand.Type) -> String {
    guard let start = text.firstRange(of: usage) else { return text }
    let rest = text[start.lowerBound...]
    let line = rest.prefix { $0 != "\n" }
    let short = text[..<start.lowerBound] + shortened(String(line)) + rest.dropFirst(line.count)
    let all = root.helpMessage(for: path.command, includeHidden: true)
    guard path.isWhole, !isOf(all, rest) else { return String(short) }
    let isEnded = short.hasSuffix("\n")
    return "\(short)\(isEnded ? "" : "\n")\nMore options: \(path.text) \(HelpLevel.all)"
  }

  /// Whether a help lists all options already.
  private static func isOf(_ all: String, _ shown: Substring) -> Bool {
    names(in: all).isSubset(of: names(in: String(shown)))
  }

  private static func names(in text: String) -> Set<Substring> {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("  -") }
    return Set(
      lines.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("--") && $0 != "--help-hidden" }
    )
    .filter { !$0.hasPrefix("--help") }
  }

  /// Returns the words in lines of the width, the later ones below the first word of the usage.
  private static func broken(_ words: [String]) -> String {
    var lines = [""]
    for word in words {
      let line = lines.removeLast()
      let longer = line.isEmpty ? word : "\(line) \(word)"
      lines += longer.count <= width ? [longer] : [line, "\(usage.map { _ in " " }.joined())\(word)"]
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a usage line that is too wide with one word for all of its optional options.
  private static func shortened(_ line: String) -> String {
    guard line.count > width else { return line }
    var kept: [String] = []
    var isOption = false
    for word in line.split(separator: " ").map(String.init) {
      if word.hasPrefix("[-") {
        if !kept.contains("[<options>]") { kept.append("[<options>]") }
        isOption = true
      }
      if !isOption { kept.append(word) }
      if word.hasSuffix("]") { isOption = false }
    }
    return broken(kept)
  }
}

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
