/// Why an operation on keys, secrets or sealed bytes was refused.
public enum CryptoError: Error, Hashable {
  /// The cryptographic library could not be started or lacks an algorithm.
  case unavailable
  /// Memory for a secret or for a key derivation could not be had.
  case outOfMemory
  /// A key derivation was asked for numbers that the algorithm does not define.
  case derivationFailed
  /// A signal asked the program to stop while a key was derived.
  case interrupted
  /// The tag does not hold: another key, another nonce, or altered bytes.
  case notAuthentic
  /// A private or symmetric key that the algorithm does not allow.
  case invalidKey
  /// Bytes that are not a point of the curve's prime-order group.
  case invalidPoint
  /// A nonce, salt, input or output of a length that the algorithm does not allow.
  case invalidLength
  /// A passphrase that no archive can be sealed with.
  case invalidPassphrase(PassphraseProblem)
}

/// What is wrong with a passphrase.
public enum PassphraseProblem: Error, Hashable {
  /// It has no characters.
  case empty
  /// It is longer than 1024 bytes once normalised.
  case tooLong
  /// It holds U+0000.
  case containsNUL
  /// It is not UTF-8.
  case notText
}
