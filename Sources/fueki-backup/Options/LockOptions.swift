internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// How long to wait for another run of this machine.
struct LockOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Wait up to this long for another run: 90s, 10m, 2h.", valueName: "duration", visibility: .more))
  var wait: DurationArgument?

  /// Takes this machine's lock for a run of the command.
  func take(_ purpose: String, _ output: OutputOptions) throws -> LockedState {
    let progress = try output.progressLine
    defer { progress.clear() }
    return try Places.state().lock(
      purpose: purpose, processID: CurrentProcess.identifier,
      start: Times.text(UInt64(max(0, SystemClock.now) / 1_000_000)), wait: wait?.seconds ?? 0
    ) { owner in
      try progress.show("waiting for another run" + (owner.map { " (\($0))" } ?? ""))
    }
  }
}

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
