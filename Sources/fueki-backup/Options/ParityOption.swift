internal import ArgumentParser
internal import FuekiBackup

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
  var parity: ParityAmount? { values(of: "parity").flatMap(ParityAmount.init) }

  /// - Throws: ``CommandError/usage(_:)`` if it is no percentage.
  func checkParity() throws {
    guard let text = values(of: "parity"), ParityAmount(text) == nil else { return }
    throw CommandError.usage("\"\(text)\" is not a percentage: write a whole number, such as \"5%\"")
  }
}
