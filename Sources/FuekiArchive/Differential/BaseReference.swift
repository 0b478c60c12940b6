public import FuekiCrypto

/// The full archive that a differential one belongs to, as its header names it (fueki-archive(5), HEADER).
public struct BaseReference: Hashable, Sendable {
  /// The base's archive digest.
  public let digest: Digest
  /// The base's sequence, from 1.
  public let sequence: UInt64

  /// The length of the header's field.
  static let byteCount = Digest.byteCount + 8

  /// Names an archive.
  public init(digest: Digest, sequence: UInt64) {
    self.digest = digest
    self.sequence = sequence
  }

  /// Reads the header's field; nil where it has another length.
  package init?(decoding bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, let digest = Digest(bytes: Array(bytes[..<Digest.byteCount])) else {
      return nil
    }
    self.digest = digest
    sequence = bytes.span.littleEndian(UInt64.self, at: Digest.byteCount)
  }

  /// The header's field.
  package var encoded: [UInt8] {
    var bytes = digest.bytes
    bytes.append(littleEndian: sequence)
    return bytes
  }

  /// Whether an archive of this sequence and previous digest may have this base.
  package func canBeBase(ofSequence sequence: UInt64, previous: Digest) -> Bool {
    guard 1 <= self.sequence, self.sequence < sequence, digest != .zero else { return false }
    // The archive before has one digest only.
    return self.sequence == sequence - 1 ? previous == .zero || previous == digest : previous != digest
  }
}
