internal import FuekiBackup
internal import FuekiCrypto

extension ShareEncoding {
  /// Creates an encoding whose bytes are read in place.
  static func reading(
    _ name: String, _ point: @escaping @Sendable (Span<UInt8>, Curve) throws -> [UInt8]?
  ) -> ShareEncoding {
    ShareEncoding(name: name) { secret, curve in
      try secret.bytes.withBytes { bytes in try point(bytes, curve) }
    }
  }

  /// Vultisig's encodings: the text of a share as in the vault.
  static let vultisig: [ShareEncoding] = [
    reading(VultisigGG20.encoding) { try VultisigGG20.point($0, on: $1) },
    reading(DKLSKeyshare.encodingInVault) { text, _ in
      try GuardedEncodings.base64(text)?.withBytes { try DKLSKeyshare.point($0) }
    },
    reading(SchnorrKeyshare.encodingInVault) { text, _ in
      try GuardedEncodings.base64(text)?.withBytes { try SchnorrKeyshare.point($0) }
    },
  ]

  /// The raw bytes of these shares.
  static let dkls: [ShareEncoding] = [
    reading(DKLSKeyshare.encoding) { bytes, _ in try DKLSKeyshare.point(bytes) },
    reading(SchnorrKeyshare.encoding) { bytes, _ in try SchnorrKeyshare.point(bytes) },
  ]
}
