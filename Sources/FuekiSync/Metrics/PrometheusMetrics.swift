public import CoreMetrics
internal import Synchronization

/// Collects metrics for a file in Prometheus's text format, for the node exporter's textfile collector.
public final class PrometheusMetrics: MetricsFactory {
  fileprivate struct Series: Hashable {
    let name: String
    let labels: String
  }

  private struct Values {
    var counters: [Series: Int64] = [:]
    var gauges: [Series: Double] = [:]
    /// Counts and sums in seconds.
    var summaries: [Series: (count: Int64, sum: Double)] = [:]
  }

  private let values = Mutex(Values())

  /// Creates an empty backend.
  public init() {}

  /// Installs the backend of this process.
  ///
  /// Call it only once.
  public static func installed() -> PrometheusMetrics {
    let metrics = PrometheusMetrics()
    MetricsSystem.bootstrap(metrics)
    return metrics
  }

  /// The file's text, in a fixed order.
  public var text: String {
    let values = values.withLock { $0 }
    var lines: [(series: Series, type: String, lines: [String])] = []
    for (series, count) in values.counters {
      lines.append((series, "counter", ["\(series.name)\(series.braced) \(count)"]))
    }
    for (series, value) in values.gauges {
      lines.append((series, "gauge", ["\(series.name)\(series.braced) \(value)"]))
    }
    for (series, value) in values.summaries {
      lines.append(
        (
          series, "summary",
          [
            "\(series.name)_sum\(series.braced) \(value.sum)",
            "\(series.name)_count\(series.braced) \(value.count)",
          ]
        ))
    }
    lines.sort { ($0.series.name, $0.series.labels) < ($1.series.name, $1.series.labels) }
    var text = ""
    var last = ""
    for line in lines {
      if line.series.name != last { text += "# TYPE \(line.series.name) \(line.type)\n" }
      last = line.series.name
      text += line.lines.map { $0 + "\n" }.joined()
    }
    return text
  }

  /// Creates a counter.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    Handler(series(label, dimensions), self)
  }

  /// Creates a gauge.
  ///
  /// An aggregating recorder is also a gauge of its last value.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    Handler(series(label, dimensions), self)
  }

  /// Creates a timer, with values in seconds.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    Handler(series(label, dimensions), self)
  }

  /// Does nothing: counts are kept until the program ends.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing.
  public func destroyTimer(_ handler: any TimerHandler) {}

  private func series(_ label: String, _ dimensions: [(String, String)]) -> Series {
    let labels = dimensions.sorted { $0.0 < $1.0 }.map { name, value in
      "\(name)=\"" + value.flatMap { "\\\"".contains($0) ? "\\\($0)" : $0 == "\n" ? "\\n" : "\($0)" } + "\""
    }
    return Series(name: label, labels: labels.joined(separator: ","))
  }

  private final class Handler: CounterHandler, RecorderHandler, TimerHandler {
    private let series: Series
    private let metrics: PrometheusMetrics

    init(_ series: Series, _ metrics: PrometheusMetrics) {
      self.series = series
      self.metrics = metrics
    }

    func increment(by amount: Int64) { metrics.values.withLock { $0.counters[series, default: 0] += amount } }
    func reset() { metrics.values.withLock { $0.counters[series] = 0 } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { metrics.values.withLock { $0.gauges[series] = value } }
    func recordNanoseconds(_ duration: Int64) {
      metrics.values.withLock { values in
        let before = values.summaries[series] ?? (0, 0)
        values.summaries[series] = (before.count + 1, before.sum + Double(duration) / 1e9)
      }
    }
  }
}

extension PrometheusMetrics.Series {
  fileprivate var braced: String { labels.isEmpty ? "" : "{\(labels)}" }
}
