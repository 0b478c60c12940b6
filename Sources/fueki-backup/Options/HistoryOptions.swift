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
