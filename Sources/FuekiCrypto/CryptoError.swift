/// Why an operation on keys, secrets or sealed bytes was refused.
public enum CryptoError: Error, Hashable {
  /// The cryptographic library could not be started or lacks an algorithm.
  case unavailable
  /// Memory for a secret or for a key derivation could not be allocated.
  case outOfMemory
  /// The parameters of a key derivation are not defined by its algorithm.
  case derivationFailed
  /// A signal asked the program to stop while a key was derived.
  case interrupted
  /// The tag does not verify: wrong key, wrong nonce, or altered bytes.
  case notAuthentic
  /// A private or symmetric key that the algorithm does not allow.
  case invalidKey
  /// Bytes that are not a point of the curve's prime-order group.
  case invalidPoint
  /// The length of a nonce, salt, input or output is not allowed by the algorithm.
  case invalidLength
  /// A passphrase that cannot seal an archive.
  case invalidPassphrase(PassphraseProblem)
}
