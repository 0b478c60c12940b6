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
