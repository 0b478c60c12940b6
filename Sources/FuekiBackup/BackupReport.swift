public import FuekiArchive
internal import FuekiWallet

/// The result of a backup.
public struct BackupReport: Sendable {
  /// The archive.
  public let archive: WrittenArchive
  /// The contents, with the reports of its sources.
  public let bundle: BackupBundle
  /// Where it now is.
  public let paths: [String]
  /// Where it could not be put.
  public let failures: [TargetFailure]
  /// The archive's recovery files, next to it.
  public let parity: [ParityFile]
  /// The targets that have the archive and not its recovery files; with no path where they could not be made.
  public let parityFailures: [TargetFailure]
  /// The guarantees that the targets' file systems lack.
  public let warnings: [TargetWarning]
  /// The paths of files in the targets that call themselves archives of this vault, and are a stranger's.
  public let strangers: [String]
  /// The reason that it is a full archive instead of a differential one.
  public let fullReason: FullReason?
  /// For each slot of a differential archive's base, whether it withstands a later quantum computer; nil for a full
  /// archive.
  public let baseSlotsForTheLongTerm: [Bool]?
  /// The reason that it cannot be a base, although it was meant to be one.
  public let tableError: (any Error)?
  /// The things of worth in it, and those that only earlier archives have.
  public let inventory: Inventory?
  /// Earlier archives that targets got, which had been without them.
  public let copies: CopyReport
  /// Archives of the vault that another machine made since this machine's last one; nil if there are none.
  public internal(set) var otherMachine: OtherMachine?
  /// The sources that other archives of the vault have and this run leaves out.
  public internal(set) var leftOutSources: [String] = []

  /// The things that earlier archives have and this one has not, and whose loss was not accepted.
  public var losses: [Absence] { inventory?.losses ?? [] }

  /// The files of earlier archives that are in another place now.
  public var moved: [FileMove] { inventory?.moved ?? [] }

  /// Whether every source was complete, nothing of the last archive is missing, and every target has the archive, its
  /// recovery files and the earlier archives that it needs.
  public var isComplete: Bool {
    losses.isEmpty && failures.isEmpty && parityFailures.isEmpty && copies.isComplete && otherMachine == nil
      && bundle.reports.allSatisfy(\.complete)
  }
}
