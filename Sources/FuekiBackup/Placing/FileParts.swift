package import FuekiCrypto

/// The parts of one file as they are read: whether they make the whole file, and which were read before.
package struct FileParts: Sendable {
  /// How a part relates to those before it.
  package enum Outcome: Sendable {
    /// It has bytes that no part before it has.
    case new
    /// A part before it has the same bytes.
    case repeated
    /// It contradicts the file's length, or the bytes of a part before it.
    case contradicting
  }

  private struct Part {
    let count: Int
    let digest: Digest
  }

  private let total: UInt64
  private var covered = CoveredRanges()
  private var parts: [UInt64: Part] = [:]
  /// Whether no part contradicts another.
  private(set) var agree = true

  /// A file of a length, of which no part was read yet.
  package init(total: UInt64) { self.total = total }

  /// Adds a part.
  ///
  /// - Parameters:
  ///   - digest: of the part's bytes, from one function for all parts of the file.
  ///   - count: how many bytes it has.
  ///   - offset: where in the file it begins.
  ///   - total: the length that it states for the file.
  /// - Returns: how it relates to the parts before it.
  package mutating func add(_ digest: Digest, count: Int, at offset: UInt64, total: UInt64) -> Outcome {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(count))
    guard total == self.total, !overflow, end <= total else { return contradicting() }
    guard count > 0 else { return .new }
    if let known = parts[offset] {
      return known.count == count && known.digest == digest ? .repeated : contradicting()
    }
    guard covered.insert(offset..<end) else { return contradicting() }
    parts[offset] = Part(count: count, digest: digest)
    return .new
  }

  private mutating func contradicting() -> Outcome {
    agree = false
    return .contradicting
  }

  /// Whether every byte of the file was read.
  package var cover: Bool { covered.cover(total) }
  /// Whether the parts make the whole file.
  package var areWhole: Bool { agree && cover }
  /// The parts that have bytes, by their offsets.
  var inOrder: [(offset: UInt64, count: Int, digest: Digest)] {
    parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.count, $0.value.digest) }
  }
  /// How many separate ranges of the file were read.
  var rangeCount: Int { covered.count }
}

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
