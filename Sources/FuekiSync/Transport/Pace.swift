internal import FuekiSystem

/// Time and chance as a client needs them, so that tests can have their own.
public struct Pace: Sendable {
  /// Seconds since 1970, for dates in `Retry-After`.
  public var now: @Sendable () -> Double
  /// Waits for some seconds, or until the task is cancelled.
  public var sleep: @Sendable (Double) async throws -> Void
  /// A number between 0 and 1.
  public var chance: @Sendable () -> Double

  /// Time and chance of a test's own.
  public init(
    now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async throws -> Void,
    chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.chance = chance
  }

  /// The system's.
  public static let system = Pace(
    now: { Double(SystemClock.now) / 1_000_000 }, sleep: { try await Task.sleep(for: .seconds($0)) },
    chance: { Double.random(in: 0...1) })
}
