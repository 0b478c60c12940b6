internal import FuekiCrypto

/// A SHA-256 cut to 16 bytes, which tells the things of one vault apart.
package enum ShortDigest {
  private static let byteCount = 16

  /// Returns the digest of the parts, one after another.
  ///
  /// - Parameters:
  ///   - purpose: keeps the digests of different purposes apart.
  ///   - parts: the content.
  /// - Returns: 16 bytes.
  package static func bytes(_ purpose: String, _ parts: [[UInt8]]) -> [UInt8] {
    let content = Array("fueki/1 \(purpose)\0".utf8) + parts.joined()
    return Array(SHA256.hash(content).bytes.prefix(byteCount))
  }

  /// Returns the digest of the parts in hex.
  package static func hex(_ purpose: String, _ parts: [[UInt8]]) -> String {
    Hex.encode(bytes(purpose, parts))
  }
}
