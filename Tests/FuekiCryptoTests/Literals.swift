import FuekiCrypto
import Testing

/// Reads the hexadecimal of a published vector.
func bytes(_ hex: String) throws -> [UInt8] {
  try #require(Hex.decode(hex.filter { !$0.isWhitespace }))
}

/// Makes a secret of the hexadecimal of a published vector.
func secret(_ hex: String) throws -> SecretBytes {
  try SecretBytes(bytes(hex))
}

extension SecretBytes {
  /// Takes bytes that are no secret here.
  init(_ bytes: [UInt8]) throws(CryptoError) {
    try self.init(copying: bytes.span)
  }

  /// A copy that a test can compare.
  borrowing func exposed() -> [UInt8] {
    withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}
