internal import COpenSSL
internal import CSodium

/// The libraries that this module is built on, as they are on this machine.
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

/// The one start of libsodium that its random numbers and locked memory need.
enum Sodium {
  /// Whether the library is ready; the first use starts it.
  static let isReady = sodium_init() >= 0

  /// Starts the library or says that it cannot be used.
  static func start() throws(CryptoError) {
    guard isReady else { throw .unavailable }
  }
}
