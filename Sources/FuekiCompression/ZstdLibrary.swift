internal import CZstd

/// The installed zstd library.
public enum ZstdLibrary {
  /// Its version, such as "1.5.4".
  public static var version: String { unsafe String(cString: ZSTD_versionString()) }
}
