internal import CSodium

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
