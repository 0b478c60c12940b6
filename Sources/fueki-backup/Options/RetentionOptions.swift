internal import ArgumentParser
internal import FuekiBackup

/// Which archives to keep: restic's rules, by restic's names.
struct RetentionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Keep the newest N archives.", valueName: "n"))
  var keepLast: CountArgument?
  @Option(help: ArgumentHelp("Keep the newest archive of each of the last N hours with one.", valueName: "n"))
  var keepHourly: CountArgument?
  @Option(help: ArgumentHelp("Keep the newest archive of each of the last N days with one.", valueName: "n"))
  var keepDaily: CountArgument?
  @Option(help: ArgumentHelp("Keep the newest archive of each of the last N weeks with one.", valueName: "n"))
  var keepWeekly: CountArgument?
  @Option(
    help: ArgumentHelp("Keep the newest archive of each of the last N months with one.", valueName: "n"))
  var keepMonthly: CountArgument?
  @Option(help: ArgumentHelp("Keep the newest archive of each of the last N years with one.", valueName: "n"))
  var keepYearly: CountArgument?
  @Option(
    help: ArgumentHelp(
      "Keep archives younger than this, counted back from the newest: 2y5m7d3h.", valueName: "duration"))
  var keepWithin: SpanArgument?

  var rules: RetentionRules {
    var rules = RetentionRules()
    rules.last = keepLast?.count
    rules.hourly = keepHourly?.count
    rules.daily = keepDaily?.count
    rules.weekly = keepWeekly?.count
    rules.monthly = keepMonthly?.count
    rules.yearly = keepYearly?.count
    rules.within = keepWithin?.span
    return rules
  }
}

/// A number from 1, or `unlimited`.
struct CountArgument: ExpressibleByArgument {
  let count: RetentionRules.Count

  init?(argument: String) {
    if argument == "unlimited" {
      count = .unlimited
    } else {
      guard let number = Int(argument), number > 0 else { return nil }
      count = .number(number)
    }
  }
}

/// A span of the calendar as restic writes it.
struct SpanArgument: ExpressibleByArgument {
  let span: CalendarSpan

  init?(argument: String) {
    guard let span = CalendarSpan(argument) else { return nil }
    self.span = span
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
