internal import ArgumentParser

/// `kit`: what a person needs when the machine is gone, on paper.
struct KitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kit", abstract: "Print what brings the wallet back when the machine is gone, and test it.",
    subcommands: [KitPrint.self, KitTest.self, KitBundleCommand.self])
}
