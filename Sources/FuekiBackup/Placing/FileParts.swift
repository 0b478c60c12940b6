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
