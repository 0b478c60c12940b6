/// What to do about a failure: the one table of what is tried again and what never is.
public enum RetryRule: Equatable, Sendable {
  /// It may pass: the same request again, later.
  case again
  /// The same question about less, such as half of the blocks; else as ``otherSource``.
  case smaller
  /// It will not pass, but a source of another kind may be able to tell.
  case otherSource
  /// It will not pass, and is the same for whoever asks in this way.
  case never

  /// The rule for a failure.
  public init(_ error: SyncError) {
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

  /// JSON-RPC's codes: its own, Ethereum's (EIP-1474) and Bitcoin Core's.
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
  /// How long to wait before another try, in seconds: any time up to a limit that doubles, so that those who were
  /// turned away together do not come back together.
  public static func delay(afterTry number: Int, chance: Double) -> Double {
    chance * min(30, 0.25 * Double(1 << min(max(number, 0), 16)))
  }

  /// The longest that a server can make us wait by `Retry-After`, in seconds.
  public static let longestPause: Double = 120
}
