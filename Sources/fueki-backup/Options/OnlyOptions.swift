internal import ArgumentParser
internal import FuekiWallet

/// Which sections a command works on.
struct OnlyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only these scopes or sections, separated by commas.", valueName: "sections"),
    completion: .sections)
  var only: [String] = []

  /// The names in the options, one by one.
  static func names(_ options: [String]) -> [String] {
    options.flatMap { $0.split(separator: ",").map(String.init) }
  }

  func selection(excluding exclude: [String] = []) throws -> SectionSelection {
    try SectionSelection(only: Self.names(only), exclude: Self.names(exclude))
  }
}
