internal import ArgumentParser
internal import FuekiSystem

/// How a command speaks.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document, also on failure.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only problems, warnings and errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: ArgumentHelp("Say more.", visibility: .more))
  var verbose = false

  @Option(
    help: ArgumentHelp(
      "Show progress as plain lines, as JSON, or not at all: plain, json, none.", valueName: "style",
      visibility: .more))
  var progress: ProgressStyle?

  var console: Console { Console(isJSON: json, isQuiet: quiet, isVerbose: verbose) }

  /// - Throws: a ``Failure`` if the environment has an unknown style.
  var progressLine: ProgressLine {
    get throws { ProgressLine(style: try progress ?? ProgressStyle.usual(), isQuiet: quiet) }
  }
}

extension ProgressStyle: ExpressibleByArgument {}
