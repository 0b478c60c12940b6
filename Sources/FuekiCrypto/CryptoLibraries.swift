internal import COpenSSL
internal import CSodium

/// The installed versions of the libraries behind this module.
public enum CryptoLibraries {
  /// libsodium's version, such as "1.0.18".
  public static var sodium: String { unsafe String(cString: sodium_version_string()) }

  /// OpenSSL's version, such as "3.0.17".
  public static var openSSL: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
  }

  /// Whether libsodium could be started.
  public static var isReady: Bool { Sodium.isReady }
}

/// Starts libsodium once, which its random numbers and locked memory require.
enum Sodium {
  /// Whether libsodium is initialised.
  ///
  /// The first access initialises it.
  static let isReady = sodium_init() >= 0

  /// Initialises libsodium or throws ``CryptoError/unavailable``.
  static func start() throws(CryptoError) {
    guard isReady else { throw .unavailable }
  }
}

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
