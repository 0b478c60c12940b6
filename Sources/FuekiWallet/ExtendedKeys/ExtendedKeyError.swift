public import FuekiCrypto

/// Why an extended key is invalid, or a child cannot be derived.
public enum ExtendedKeyError: Error, Equatable, Sendable {
  /// The text is not Base58Check, or has another length.
  case notAKey
  /// A character is wrong.
  case wrongChecksum
  /// Its prefix is unknown.
  case unknownVersion
  /// It is private where a public key is required.
  case privateKey
  /// It states that it is the root key but also names a parent.
  case invalidDepth
  /// It does not hold a valid key of the curve.
  case invalidKey
  /// The child needs the private key.
  case hardenedStep
  /// The child with this number does not exist.
  case noSuchChild
  /// A path has at most 255 steps.
  case tooDeep
  /// A seed has 16 to 64 bytes.
  case seedLength
  /// The system's cryptographic library failed.
  case crypto(CryptoError)
}
