public import FuekiCrypto

/// A differential archive's base, a full archive, as its header names it (fueki-archive(5), HEADER).
public struct BaseReference: Hashable, Sendable {
  /// The base's archive digest.
  public let digest: Digest
  /// The base's sequence, from 1.
  public let sequence: UInt64

  /// The length of the header's field.
  static let byteCount = Digest.byteCount + 8

  /// Creates a reference to an archive.
  public init(digest: Digest, sequence: UInt64) {
    self.digest = digest
    self.sequence = sequence
  }

  /// Decodes the header's field; nil if it has another length.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, let digest = Digest(bytes: Array(bytes[..<Digest.byteCount])) else {
      return nil
    }
    self.digest = digest
    sequence = bytes.span.littleEndian(UInt64.self, at: Digest.byteCount)
  }

  /// The encoded header field.
  package var encoded: [UInt8] {
    var bytes = digest.bytes
    bytes.append(littleEndian: sequence)
    return bytes
  }

  /// Whether this base is possible for an archive of this sequence and previous digest.
  package func canBeBase(ofSequence sequence: UInt64, previous: Digest) -> Bool {
    guard 1 <= self.sequence, self.sequence < sequence, digest != .zero else { return false }
    // If the base is the previous archive, both digests must be equal.
    return self.sequence == sequence - 1 ? previous == .zero || previous == digest : previous != digest
  }
}
