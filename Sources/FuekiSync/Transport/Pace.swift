internal import FuekiSystem

/// A client's time and randomness, replaceable by tests.
public struct Pace: Sendable {
  /// Seconds since 1970, for dates in `Retry-After`.
  public var now: @Sendable () -> Double
  /// Waits for a number of seconds, or until the task is cancelled.
  public var sleep: @Sendable (Double) async throws -> Void
  /// A number between 0 and 1.
  public var chance: @Sendable () -> Double

  /// Creates time and randomness for tests.
  public init(
    now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async throws -> Void,
    chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.chance = chance
  }

  /// The system's time and randomness.
  public static let system = Pace(
    now: { Double(SystemClock.now) / 1_000_000 }, sleep: { try await Task.sleep(for: .seconds($0)) },
    chance: { Double.random(in: 0...1) })
}
