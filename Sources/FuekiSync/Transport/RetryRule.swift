internal import FuekiSystem

/// The reaction to a failure.
///
/// This is the only table of retries.
enum RetryRule: Equatable, Sendable {
  /// Retry the same request later, because the failure may be temporary.
  case again
  /// Retry for less, such as half of the blocks; otherwise as ``otherSource``.
  case smaller
  /// Do not retry, but use a source of another kind.
  case otherSource
  /// Do not retry, because every such request fails.
  case never

  /// Returns the rule for a failure.
  init(_ error: SyncError) {
    self =
      switch error {
      case .transport(let error): Self.rule(for: error)
      case .refused(let status): Self.rule(forStatus: status)
      case .rateLimited: .again
      case .server(let code, _): Self.rule(forCode: code)
      case .tooMuch: .smaller
      case .unsupported, .descriptor, .behind: .otherSource
      case .malformed, .notJSON, .wrongChain, .nothingToAsk, .program, .store, .cancelled: .never
      }
  }

  private static func rule(for error: TransportError) -> RetryRule {
    switch error {
    case .unreachable, .deadline: .again
    case .tooLarge: .smaller
    case .invalidURL, .credentialInTheClear, .notTrusted, .redirected, .cancelled: .never
    }
  }

  private static func rule(forStatus status: Int) -> RetryRule {
    switch status {
    case 408, 425, 429, 502, 503, 504: .again
    case 413: .smaller
    default: .never
    }
  }

  /// JSON-RPC's codes: the standard's, Ethereum's (EIP-1474) and Bitcoin Core's.
  private static func rule(forCode code: Int) -> RetryRule {
    switch code {
    case -32005, -28: .again
    case -32012: .smaller
    case -32601: .otherSource
    default: .never
    }
  }
}

extension RetryRule {
  /// Returns the delay before another try, in seconds.
  ///
  /// It is random up to a doubling limit, so that clients refused together do not return together.
  static func delay(afterTry number: Int, chance: Double) -> Double {
    chance * min(30, 0.25 * Double(1 << min(max(number, 0), 16)))
  }

  /// The longest pause that a server can demand by `Retry-After`, in seconds.
  static let longestPause: Double = 120
}

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
