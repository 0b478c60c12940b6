internal import CoreMetrics
internal import FuekiSystem

/// The metrics of a resync, for any backend.
enum SyncMetrics {
  /// Counts an operation and measures its duration.
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

  /// Counts the origin of an answer.
  static func note(_ origin: String) {
    Counter(label: "fueki_sync_answers_total", dimensions: [("from", origin)]).increment()
  }

  /// Counts a request to a server, including each retry.
  static func noteRequest(_ result: String) {
    Counter(label: "fueki_sync_requests_total", dimensions: [("result", result)]).increment()
  }
}
