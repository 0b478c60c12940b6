internal import ArgumentParser
internal import FuekiSystem

/// How a command speaks.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document, also on failure.")
  var json = false

  @Flag(name: .shortAndLong, help: "Say only what went wrong.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Say more.")
  var verbose = false

  @Option(help: ArgumentHelp("Show progress as plain lines, as JSON, or not at all.", valueName: "style"))
  var progress: ProgressStyle?

  var console: Console { Console(isJSON: json, isQuiet: quiet, isVerbose: verbose) }

  var progressLine: ProgressLine { ProgressLine(style: progress, isQuiet: quiet) }
}

extension ProgressStyle: ExpressibleByArgument {}
