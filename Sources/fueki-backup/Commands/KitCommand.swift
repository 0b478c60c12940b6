internal import ArgumentParser

/// `kit`: prints the facts that a user needs after the loss of the machine.
struct KitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kit", abstract: "Print what brings the wallet back when the machine is gone, and test it.",
    subcommands: [KitPrint.self, KitTest.self, KitBundleCommand.self])
}
