/// Which bytes of a file have been written.
struct CoveredRanges {
  private var ranges: [Range<UInt64>] = []

  /// The number of separate ranges.
  var count: Int { ranges.count }

  /// Adds a range; returns false and adds nothing if part of it is already covered.
  mutating func insert(_ range: Range<UInt64>) -> Bool {
    guard !range.isEmpty else { return true }
    let index = firstIndex(endingAtOrBehind: range.lowerBound)
    var merged = range
    var end = index
    if end < ranges.count, ranges[end].upperBound == range.lowerBound {
      merged = ranges[end].lowerBound..<merged.upperBound
      end += 1
    }
    if end < ranges.count {
      guard ranges[end].lowerBound >= range.upperBound else { return false }
      if ranges[end].lowerBound == range.upperBound {
        merged = merged.lowerBound..<ranges[end].upperBound
        end += 1
      }
    }
    ranges.replaceSubrange(index..<end, with: [merged])
    return true
  }

  /// The ranges are in order, and are halved until one is left.
  private func firstIndex(endingAtOrBehind offset: UInt64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = low + (high - low) / 2
      if ranges[middle].upperBound >= offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Whether every byte up to a length is covered.
  func cover(_ length: UInt64) -> Bool { length == 0 || ranges == [0..<length] }
}
