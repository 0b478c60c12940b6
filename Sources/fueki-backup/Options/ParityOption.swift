internal import ArgumentParser
internal import FuekiBackup

/// How much of an archive may be lost and still be mended, as people type it: `5%`.
struct ParityArgument: ExpressibleByArgument {
  let amount: ParityAmount

  init?(argument: String) {
    guard let amount = ParityAmount(argument) else { return nil }
    self.amount = amount
  }
}

extension VaultSettings {
  /// How much of an archive its recovery files can make good; nil where nothing is said.
  var parity: ParityAmount? { values(of: "parity").flatMap(ParityAmount.init) }

  /// - Throws: ``CommandError/usage(_:)`` where it is no percentage.
  func checkParity() throws {
    guard let text = values(of: "parity"), ParityAmount(text) == nil else { return }
    throw CommandError.usage("\"\(text)\" is not a percentage: write a whole number, such as \"5%\"")
  }
}
