internal import FuekiWallet

/// The result of a stage.
public struct StageResult: Sendable {
  /// The stage.
  public let stage: RestoreStage
  /// How it ended.
  public let result: StageEnd
  /// How long it took.
  public let seconds: Double
  /// How many of what, such as records per section.
  public let counts: [String: UInt64]
}
