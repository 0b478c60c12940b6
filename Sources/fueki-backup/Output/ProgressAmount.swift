internal import FuekiBackup
internal import FuekiSystem

/// How far a step is.
struct ProgressAmount {
  enum Unit {
    case bytes
    case records
    /// A percentage of an unstated quantity.
    case percent
  }

  let done: UInt64
  /// 0 if unknown.
  let all: UInt64
  let unit: Unit

  var fraction: Double? { all > 0 ? Double(min(done, all)) / Double(all) : nil }

  /// Returns percentage, rate and time left, as far as known.
  func sentence(after seconds: Double) -> String {
    var parts: [String] = []
    if let fraction { parts.append("\(Int(fraction * 100)) %") }
    guard seconds >= 1, done > 0 else { return parts.joined(separator: ", ") }
    let rate = Double(done) / seconds
    switch unit {
    case .bytes: parts.append("\(Readable.bytes(UInt64(rate)))/s")
    case .records: parts.append("\(UInt64(rate)) records/s")
    case .percent: break
    }
    if let fraction, fraction >= 0.05, fraction < 1 {
      parts.append("\(Readable.span(seconds * (1 - fraction) / fraction)) left")
    }
    return parts.joined(separator: ", ")
  }
}
