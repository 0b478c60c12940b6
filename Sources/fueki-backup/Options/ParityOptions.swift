internal import ArgumentParser
internal import FuekiBackup

/// The recovery files of the archives that a command writes.
struct ParityOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make recovery files that can repair this much damage to an archive: 5%.", valueName: "percent",
      visibility: .more), completion: .list(["1%", "5%", "10%", "20%"]))
  var parity: ParityArgument?

  /// Replaces the configured amount by the one from the option, if there is any.
  func apply(to options: inout PublicationOptions) { options.parity = parity?.amount ?? options.parity }
}

/// The amount of an archive that can be lost and repaired, as an argument: `5%`.
struct ParityArgument: ExpressibleByArgument {
  let amount: ParityAmount

  init?(argument: String) {
    guard let amount = ParityAmount(argument) else { return nil }
    self.amount = amount
  }
}

extension VaultSettings {
  /// The amount of an archive that its recovery files can repair; nil if unspecified.
  var parity: ParityAmount? { values(of: "parity").flatMap { ParityAmount($0) } }

  /// - Throws: ``CommandError/usage(_:)`` if it is no percentage.
  func checkParity() throws {
    guard let text = values(of: "parity"), ParityAmount(text) == nil else { return }
    throw CommandError.usage("\"\(text)\" is not a percentage: write a whole number, such as \"5%\"")
  }
}
