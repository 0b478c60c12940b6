internal import FuekiCrypto

/// Why a manifest cannot be padded to its reserved length.
public enum ManifestError: Error, Equatable, Sendable {
  /// It is already longer.
  case tooLong(byteCount: Int)
  /// Padding cannot produce exactly this difference.
  case unreachable(byteCount: Int)
  /// It cannot be encoded.
  case notEncodable
}
