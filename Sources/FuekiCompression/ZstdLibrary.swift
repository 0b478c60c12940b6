internal import CZstd

/// The library that this module is built on, as it is on this machine.
public enum ZstdLibrary {
  /// Its version, such as "1.5.4".
  public static var version: String { unsafe String(cString: ZSTD_versionString()) }
}
