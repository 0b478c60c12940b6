internal import FuekiArchive
public import FuekiSystem

/// An archive that was copied to a target that did not have it.
public struct CopiedArchive: Sendable {
  /// The archive's number and digest.
  public let link: VaultState.Link
  /// The copy's path.
  public let path: String
  /// The archive's length.
  public let byteCount: UInt64
  /// The copy's recovery files.
  public let parity: [ParityFile]
}

/// The archives that targets got which had been without them, and those that they still lack.
public struct CopyReport: Sendable {
  /// An archive that a target still lacks.
  public struct Failure: Sendable {
    /// The archive's number and digest.
    public let link: VaultState.Link
    /// The target's path.
    public let target: ExactText
    /// The reason.
    public let error: any Error
  }

  /// The copies, in the order in which they were made.
  public internal(set) var copied: [CopiedArchive] = []
  /// The archives that could not be copied.
  public internal(set) var failures: [Failure] = []
  /// The copies that lack their requested recovery files.
  public internal(set) var withoutParity: [String] = []
  /// The promises that the targets' file systems do not make.
  public internal(set) var warnings: [TargetWarning] = []

  /// Nothing was copied.
  public init() {}

  /// Whether every copy was made, with its recovery files.
  public var isComplete: Bool { failures.isEmpty && withoutParity.isEmpty }
}
