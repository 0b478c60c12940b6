public import FuekiCrypto

/// What is wrong with an output descriptor, or with what is asked of one.
public enum DescriptorError: Error, Hashable, Sendable {
  /// It has more characters than ``Descriptor/characterCountLimit``.
  case tooLong
  /// It has a character that descriptors do not have.
  case invalidCharacter
  /// After the `#` there are not eight characters of the checksum's alphabet.
  case noChecksum
  /// It does not match its checksum: a character is wrong.
  case wrongChecksum
  /// It is no expression with arguments in brackets, or has too few or too many of them.
  case syntax
  /// It has an expression that is not understood here.
  case unsupported(name: String)
  /// An expression stands where it may not.
  case misplaced(name: String)
  /// A key is neither hexadecimal nor an extended key, or is no point of the curve.
  case invalidKey
  /// A key is private: descriptors that are kept hold public ones.
  case privateKey
  /// A key is uncompressed where only compressed ones may stand.
  case uncompressedKey
  /// What stands before a key in square brackets is no origin.
  case invalidOrigin
  /// A step is no number below 2³¹, or follows a key that has none below it.
  case invalidStep
  /// A step from an extended public key is hardened.
  case hardenedStep
  /// A step of several numbers has one of them twice, has more than 256 or is not closed, or the keys' steps differ in
  /// how many.
  case invalidMultipath
  /// The number of signatures is not from 1 to the number of keys, or there are too many keys.
  case invalidThreshold
  /// The script of a `raw` expression is not hexadecimal.
  case invalidScript
  /// The address of an `addr` expression is none.
  case address(AddressProblem)
  /// No address leads to its script.
  case noAddress
  /// It is for another network.
  case otherNetwork
  /// It has fewer branches.
  case noSuchBranch
  /// There is no key with this index.
  case noSuchIndex
  /// The system's cryptographic library failed.
  case crypto(CryptoError)

  /// What an extended key's error means for a descriptor.
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
