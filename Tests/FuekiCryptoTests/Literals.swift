import FuekiCrypto
import Testing

/// Parses the hexadecimal of a published vector.
func bytes(_ hex: String) throws -> [UInt8] {
  try #require(Hex.decode(hex.filter { !$0.isWhitespace }))
}

/// Creates a secret from the hexadecimal of a published vector.
func secret(_ hex: String) throws -> SecretBytes {
  try SecretBytes(bytes(hex))
}

extension SecretBytes {
  /// Creates a secret from bytes that are public here.
  init(_ bytes: [UInt8]) throws(CryptoError) {
    try self.init(copying: bytes.span)
  }

  /// Returns a copy for comparison in tests.
  borrowing func exposed() -> [UInt8] {
    withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}
