internal import ArgumentParser
internal import FuekiBackup

/// Whether an archive holds all of the history, or what differs from an earlier one.
struct HistoryOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Put all of the history into the archive, and let later ones hold what differs from it.",
      visibility: .more))
  var full = false
  @Flag(
    help: ArgumentHelp(
      "Put only what differs from the last full archive into it, or make none.", visibility: .more))
  var differential = false

  func validate() throws {
    guard !full || !differential else { throw ValidationError("--full or --differential, not both") }
  }

  /// Replaces the configured choice by the one from the options, if there is any.
  func apply(to options: inout PublicationOptions) {
    if full { options.history = .full }
    if differential { options.history = .differential }
  }
}

extension VaultSettings {
  /// The age at which a full archive is replaced by the next; nil if every archive is to be full.
  var fullEvery: CalendarSpan? { values(of: "full_every").flatMap(CalendarSpan.init) }

  /// - Throws: ``CommandError/usage(_:)`` if it is no span of time.
  func checkFullEvery() throws {
    guard let text = values(of: "full_every"), CalendarSpan(text)?.isLong != true else { return }
    throw CommandError.usage(
      "\"\(text)\" is not a duration: write years, months, days or hours, such as \"30d\"")
  }
}

extension CalendarSpan {
  /// Whether it is more than no time.
  fileprivate var isLong: Bool { years > 0 || months > 0 || days > 0 || hours > 0 }
}

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
