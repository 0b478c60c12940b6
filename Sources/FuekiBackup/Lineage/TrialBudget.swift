internal import FuekiSystem

/// The time that a run may spend on trying secrets on archives of unknown owners, in all.
///
/// Whoever writes an archive chooses what a try costs, and may have put many there.
public final class TrialBudget {
  private static let seconds = 30.0
  /// The sum of memory times passes that is spent in any case, so that a busy machine tries enough: 8 GiB, which takes some
  /// ten seconds of one that is idle.
  private static let leastKibibytes: UInt64 = 8 << 20

  private let limit: Double
  private let now: () -> Double
  private let least: UInt64
  private var start: Double?
  private var spent: UInt64 = 0

  /// The time of a run, by the system's clock.
  public convenience init() {
    self.init(seconds: Self.seconds, atLeast: Self.leastKibibytes) { SystemClock.monotonicSeconds }
  }

  /// - Parameters:
  ///   - seconds: from the first try on.
  ///   - kibibytes: the sum of memory times passes that is spent whatever the time.
  ///   - now: a clock in seconds that never goes back.
  package init(seconds: Double, atLeast kibibytes: UInt64 = 0, now: @escaping () -> Double) {
    (limit, least, self.now) = (seconds, kibibytes, now)
  }

  /// Whether another try, which costs so much memory times passes, may begin; a try that has begun is finished.
  func mayTry(_ kibibytes: UInt64 = 0) -> Bool {
    let now = now()
    let start = start ?? now
    self.start = start
    guard now - start < limit || spent &+ kibibytes < least else { return false }
    spent &+= kibibytes
    return true
  }
}
