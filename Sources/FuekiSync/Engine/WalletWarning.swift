/// A warning about a synchronised wallet.
public enum WalletWarning: Equatable, Sendable {
  /// This source failed, but another one answered.
  case failed(SourceAttempt)
  /// The source is behind an earlier known height.
  case behind(SourcePlace, height: UInt64, known: UInt64)
  /// A warning from the source.
  case found(FindingsWarning)
}
