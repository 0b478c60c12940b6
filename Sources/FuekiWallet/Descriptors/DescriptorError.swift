public import FuekiCrypto

/// Why an output descriptor is invalid, or cannot answer a request.
public enum DescriptorError: Error, Hashable, Sendable {
  /// It has more characters than ``Descriptor/characterCountLimit``.
  case tooLong
  /// It has a character outside the descriptors' alphabet.
  case invalidCharacter
  /// The text after `#` is not eight characters of the checksum's alphabet.
  case noChecksum
  /// The checksum does not match: a character is wrong.
  case wrongChecksum
  /// It is not an expression with arguments in brackets, or their number is wrong.
  case syntax
  /// It has an unsupported expression.
  case unsupported(name: String)
  /// An expression is not allowed at its position.
  case misplaced(name: String)
  /// A key is neither hexadecimal nor an extended key, or not a point of the curve.
  case invalidKey
  /// A key is private.
  ///
  /// Only descriptors with public keys are accepted.
  case privateKey
  /// A key is uncompressed where only compressed keys are allowed.
  case uncompressedKey
  /// The square brackets before a key do not hold an origin.
  case invalidOrigin
  /// A step is not a number below 2³¹, or follows a key without children.
  case invalidStep
  /// A step from an extended public key is hardened.
  case hardenedStep
  /// A step of several numbers is invalid.
  ///
  /// It repeats a number, has more than 256 or is not closed, or the keys' steps differ in their counts.
  case invalidMultipath
  /// The number of signatures is not between 1 and the number of keys, or there are too many keys.
  case invalidThreshold
  /// The script of a `raw` expression is not hexadecimal.
  case invalidScript
  /// The address of an `addr` expression is invalid.
  case address(AddressProblem)
  /// Its script has no address.
  case noAddress
  /// It is for another network.
  case otherNetwork
  /// It has fewer branches.
  case noSuchBranch
  /// There is no key for this index.
  case noSuchIndex
  /// The system's cryptographic library failed.
  case crypto(CryptoError)

  /// Translates an extended key's error.
  init(_ error: ExtendedKeyError) {
    self =
      switch error {
      case .notAKey, .wrongChecksum, .unknownVersion, .invalidDepth, .invalidKey, .seedLength: .invalidKey
      case .privateKey: .privateKey
      case .hardenedStep: .hardenedStep
      case .noSuchChild: .noSuchIndex
      case .tooDeep: .invalidStep
      case .crypto(let error): .crypto(error)
      }
  }
}
