/// A file in Prometheus's text format, version 0.0.4, which the textfile collector of node exporter reads.
///
/// Each metric has its samples together, in the order in which they were added.
public struct PrometheusText: Sendable {
  /// The kinds of metrics that this program has.
  public enum Kind: String, Sendable { case counter, gauge, summary }

  /// A label's name and its value, which may be any text.
  public typealias Label = (name: String, value: String)

  /// The file's text.
  public private(set) var text = ""
  private var metric = ""
  private var written: Set<String> = []

  /// Creates an empty file.
  public init() {}

  /// Begins a metric: the samples that follow are its own.
  ///
  /// - Parameters:
  ///   - name: letters, digits and `_`.
  ///   - kind: the kind of metric.
  ///   - help: one line of text; nil for none.
  public mutating func begin(_ name: String, _ kind: Kind, help: String? = nil) {
    metric = name
    if let help { text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n" }
    text += "# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a sample, unless the metric has one with the same labels, which the format forbids.
  ///
  /// - Parameters:
  ///   - value: any number; a time is in seconds since 1970.
  ///   - labels: the sample's labels.
  ///   - suffix: the part of a summary, such as `_sum`.
  public mutating func add(_ value: Double, _ labels: [Label] = [], suffix: String = "") {
    let braced = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(
      separator: ",")
    let series = metric + suffix + (braced.isEmpty ? "" : "{\(braced)}")
    guard written.insert(series).inserted else { return }
    text += "\(series) \(Int64(exactly: value).map { "\($0)" } ?? "\(value)")\n"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
