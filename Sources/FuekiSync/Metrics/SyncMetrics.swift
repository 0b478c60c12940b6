internal import CoreMetrics
internal import FuekiSystem

/// What a resync counts and measures, for whatever backend the program has.
enum SyncMetrics {
  /// Counts an operation and measures how long it took.
  static func measuring<Value>(
    _ operation: String, _ body: () async -> (value: Value, isWell: Bool)
  ) async -> Value {
    let start = SystemClock.monotonicSeconds
    let (value, isWell) = await body()
    let dimensions = [("operation", operation), ("result", isWell ? "ok" : "failed")]
    Counter(label: "fueki_sync_operations_total", dimensions: dimensions).increment()
    Timer(label: "fueki_sync_operation_seconds", dimensions: [("operation", operation)])
      .recordNanoseconds(Int64((SystemClock.monotonicSeconds - start) * 1e9))
    return value
  }

  /// Counts where an answer was from.
  static func note(_ origin: String) {
    Counter(label: "fueki_sync_answers_total", dimensions: [("from", origin)]).increment()
  }

  /// Counts a request to a server, each try by itself.
  static func noteRequest(_ result: String) {
    Counter(label: "fueki_sync_requests_total", dimensions: [("result", result)]).increment()
  }
}
