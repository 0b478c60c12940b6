internal import FuekiBackup
internal import FuekiSystem

/// The counts and durations of a resync, for the textfile collector of Prometheus's node exporter.
public final class SyncMetrics: Sendable {
  private struct Operation {
    var well = 0
    var failed = 0
    var seconds = 0.0
  }

  private struct Values {
    var answers: [String: Int] = [:]
    var operations: [String: Operation] = [:]
    var requests: [String: Int] = [:]
  }

  private let values = Locked(Values())

  /// Creates empty metrics.
  package init() {}

  /// The file's text, in a fixed order; metrics without a value are left out.
  public var text: String {
    let values = values.withLock { $0 }
    var text = PrometheusText()
    Self.add("answers_total", values.answers, by: "from", to: &text)
    let operations = values.operations.sorted { $0.key < $1.key }
    if !operations.isEmpty { text.begin("fueki_sync_operation_seconds", .summary) }
    for (name, operation) in operations {
      text.add(operation.seconds, [("operation", name)], suffix: "_sum")
      text.add(Double(operation.well + operation.failed), [("operation", name)], suffix: "_count")
    }
    if !operations.isEmpty { text.begin("fueki_sync_operations_total", .counter) }
    for (name, operation) in operations {
      for (result, count) in [("failed", operation.failed), ("ok", operation.well)] where count > 0 {
        text.add(Double(count), [("operation", name), ("result", result)])
      }
    }
    Self.add("requests_total", values.requests, by: "result", to: &text)
    return text.text
  }

  private static func add(
    _ name: String, _ counts: [String: Int], by label: String, to text: inout PrometheusText
  ) {
    guard !counts.isEmpty else { return }
    text.begin("fueki_sync_\(name)", .counter)
    for (value, count) in counts.sorted(by: { $0.key < $1.key }) { text.add(Double(count), [(label, value)]) }
  }

  /// Counts an operation and measures its duration.
  package func measuring<Value>(
    _ operation: String, _ body: () async -> (value: Value, isWell: Bool)
  ) async -> Value {
    let start = SystemClock.monotonicSeconds
    let (value, isWell) = await body()
    let seconds = SystemClock.monotonicSeconds - start
    values.withLock { values in
      values.operations[operation, default: Operation()].seconds += seconds
      if isWell {
        values.operations[operation, default: Operation()].well += 1
      } else {
        values.operations[operation, default: Operation()].failed += 1
      }
    }
    return value
  }

  /// Counts the origin of an answer.
  package func recordAnswer(from origin: String) { values.withLock { $0.answers[origin, default: 0] += 1 } }

  /// Counts a request to a server, including each retry.
  package func recordRequest(_ result: String) { values.withLock { $0.requests[result, default: 0] += 1 } }
}
