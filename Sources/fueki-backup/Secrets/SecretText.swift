internal import FuekiCrypto

/// A text with a secret in it, put together in memory that is wiped.
struct SecretText: ~Copyable {
  private var bytes: SecretBytes
  private var end = 0

  /// Room for so many bytes; more is a fault of the caller.
  init(capacity: Int) throws(CryptoError) { bytes = try SecretBytes(count: capacity) }

  /// Appends text that is not secret.
  mutating func append(_ text: String) {
    let text = Array(text.utf8)
    append(text.span)
  }

  /// Adds a secret, or a part of one.
  mutating func append(_ part: Span<UInt8>) {
    precondition(end + part.count <= bytes.count, "the text is longer than stated")
    let start = end
    bytes.withMutableBytes { $0.write(part, at: start) }
    end += part.count
  }

  /// The text.
  consuming func finish() throws(CryptoError) -> SecretBytes { try bytes.copy(0..<end) }
}
