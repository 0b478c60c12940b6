internal import FuekiBackup

/// `--accept-loss`, with a name or without.
///
/// The parser knows options with a value and flags, and no list of options whose value may be left out: an option
/// without a value becomes one with a value that no command line can hold, before it is parsed.
enum AcceptedLossNames {
  static let option = "accept-loss"
  private static let everything = "\u{0}"

  /// The arguments, with a value for each `--accept-loss` that has none; those after `--` stay as they are.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].map { $0 == "--\(option)" ? "--\(option)=\(everything)" : $0 }
      + arguments[end...]
  }

  /// The losses that the values accept.
  static func acceptance(_ values: [String]) -> LossAcceptance {
    var acceptance = LossAcceptance()
    acceptance.coversAll = values.contains(everything)
    acceptance.names = Set(values).subtracting([everything])
    return acceptance
  }
}
