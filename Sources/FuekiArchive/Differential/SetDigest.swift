package import FuekiCrypto

/// An order-independent digest of a section's records (fueki-archive(5), DIFFERENTIAL ARCHIVES).
///
/// It is the sum, mod 2^256, of the records' digests. It detects mistakes, not forgeries. Partial sums can be
/// computed separately and added.
package struct SetDigest: Equatable, Sendable {
  // The least significant word first.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Creates the sum of no records.
  package init() {}

  /// Adds a record of `section`.
  package mutating func add(_ message: Span<UInt8>, section: UInt16) {
    let label = Self.recordLabel(section)
    add(SHA256.hash(label.span, message).littleEndianWords)
  }

  /// Adds a separately computed sum of other records of the same section.
  package mutating func add(_ other: SetDigest) { add(other.words) }

  /// Returns the digest of the `records` records of `section` added so far.
  package func value(section: UInt16, records: UInt64) -> Digest {
    var bytes: [UInt8] = .label("fueki/1 set")
    bytes.append(littleEndian: section)
    bytes.append(littleEndian: records)
    bytes.append(littleEndian: words.0)
    bytes.append(littleEndian: words.1)
    bytes.append(littleEndian: words.2)
    bytes.append(littleEndian: words.3)
    return SHA256.hash(bytes.span)
  }

  package static func == (a: Self, b: Self) -> Bool { a.words == b.words }

  private static func recordLabel(_ section: UInt16) -> [UInt8] {
    var label: [UInt8] = .label("fueki/1 record")
    label.append(littleEndian: section)
    return label
  }

  private mutating func add(_ other: (UInt64, UInt64, UInt64, UInt64)) {
    var carry: UInt64 = 0
    words.0 = Self.sum(words.0, other.0, &carry)
    words.1 = Self.sum(words.1, other.1, &carry)
    words.2 = Self.sum(words.2, other.2, &carry)
    words.3 = Self.sum(words.3, other.3, &carry)
  }

  private static func sum(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (partial, first) = a.addingReportingOverflow(b)
    let (total, second) = partial.addingReportingOverflow(carry)
    carry = first || second ? 1 : 0
    return total
  }
}
