public import FuekiArchive

/// An archive that at least one target has, and its places.
public struct PublishedArchive: Sendable {
  /// The archive.
  public let archive: WrittenArchive
  /// The archive's path in each target that has it.
  public let paths: [String]
  /// The targets that do not have it.
  public let failures: [TargetFailure]
  /// Its recovery files; empty if they were not requested or could not be made.
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

  /// Whether every target has the archive and its recovery files.
  public var isComplete: Bool { failures.isEmpty && parityFailures.isEmpty }
}
