internal import CSodium

/// The one start of libsodium that its random numbers and locked memory need.
enum Sodium {
  /// Whether the library is ready; the first use starts it.
  static let isReady = sodium_init() >= 0

  /// Starts the library or says that it cannot be used.
  static func start() throws(CryptoError) {
    guard isReady else { throw .unavailable }
  }
}
