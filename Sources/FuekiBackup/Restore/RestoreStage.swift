internal import FuekiWallet

/// The stages of a restore, in the order in which people see them.
public enum RestoreStage: String, CaseIterable, Sendable {
  case verify
  case authenticate
  case decryptShares = "decrypt-shares"
  case restoreWallets = "restore-wallets"
  case restoreHistory = "restore-history"
  case resync
  case complete
}

/// Records each finished stage, and reports it for display.
struct StageLog {
  private(set) var results: [StageResult] = []
  private let clock: () -> Double
  private let report: (RestoreProgress) throws -> Void

  init(clock: @escaping () -> Double, report: @escaping (RestoreProgress) throws -> Void) {
    self.clock = clock
    self.report = report
  }

  /// Runs one stage; a stage that throws has no result.
  mutating func run<Value>(
    _ stage: RestoreStage, result: (Value) -> StageEnd = { _ in .done },
    counts: (Value) -> [String: UInt64] = { _ in [:] }, _ body: () throws -> Value
  ) throws -> Value {
    try report(.began(stage))
    let start = clock()
    let value = try body()
    let ended = StageResult(
      stage: stage, result: result(value), seconds: clock() - start, counts: counts(value))
    results.append(ended)
    try report(.ended(ended))
    return value
  }
}
