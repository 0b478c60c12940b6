/// A source that failed or was incomplete.
public struct SourceAttempt: Equatable, Sendable {
  /// The source.
  public let place: SourcePlace
  /// The error.
  public let error: SyncError

  /// Creates an attempt.
  public init(_ place: SourcePlace, _ error: SyncError) {
    self.place = place
    self.error = error
  }
}
