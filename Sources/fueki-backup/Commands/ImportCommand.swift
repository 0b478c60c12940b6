internal import ArgumentParser

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "import")
  func run() throws {}
}
