internal import ArgumentParser

/// A span of time as people type it: seconds, or a number with its unit, or several of those.
struct DurationArgument: ExpressibleByArgument {
  let seconds: Double

  private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

  init?(argument: String) {
    if let seconds = UInt32(argument) {
      self.seconds = Double(seconds)
      return
    }
    var total = 0.0
    var digits = ""
    for character in argument {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        guard let unit = Self.units[character], let number = UInt32(digits) else { return nil }
        total += Double(number) * unit
        digits = ""
      }
    }
    guard digits.isEmpty, !argument.isEmpty else { return nil }
    seconds = total
  }
}
