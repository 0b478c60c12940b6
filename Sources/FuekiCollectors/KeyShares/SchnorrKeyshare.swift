internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A keyshare of the accompanying Schnorr scheme, as in Vultisig's vaults.
///
///     n ‖ t ‖ id ‖ s 32 ‖ key 32 ‖ 32 bytes ‖ 00 ‖ 32 bytes        (s is little-endian)
struct SchnorrKeyshare {
  static let encoding = "dkls23-schnorr"
  static let encodingInVault = "vultisig-schnorr"

  private static let byteCount = 132
  private static let secret = 3..<35
  private static let partyLimit: UInt8 = 64

  private let counts: (UInt8, UInt8)
  private let own: UInt8
  private let key: [UInt8]

  /// Whether bytes start like a keyshare, whatever their length.
  static func isLikely(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count > 64, bytes.count < 2 * byteCount else { return false }
    let most = max(bytes[0], bytes[1])
    return min(bytes[0], bytes[1]) > 0 && most <= partyLimit && bytes[2] < most
  }

  /// Parses complete bytes; nil for anything else.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount, Self.isLikely(bytes) else { return nil }
    counts = (bytes[0], bytes[1])
    own = bytes[2]
    key = bytes.extracting(35..<67).copied()
  }

  /// Returns the public part and a finding from the file alone, which has no public share to compare the
  /// secret with.
  func proved(
    _ bytes: Span<UInt8>, name: String, encoding: String, wanted: [UInt8]
  ) throws(CryptoError) -> (SharePublicSide, WalletFinding.Result) {
    var side = SharePublicSide(
      scheme: "dkls23-schnorr", curve: Curve.ed25519.rawValue, encoding: encoding, name: name)
    side.groupKey = key
    (side.threshold, side.total) = (Int(min(counts.0, counts.1)), Int(max(counts.0, counts.1)))
    side.partyIndex = Int(own)
    side.ownPlace = [UInt8](repeating: 0, count: 31) + [own + 1]
    if !wanted.isEmpty, wanted != key { return (side, .faulty(.foreignShare)) }
    guard CurvePoint.isValid(key, on: .ed25519), let point = try Self.point(bytes) else {
      return (side, .faulty(.malformed))
    }
    // Other files can compare it.
    side.ownPoint = point
    return (side, point == key ? .proved(.wholeKey) : .notProved(.needsOtherParties))
  }

  /// Returns the public point of complete bytes' secret; nil for other bytes.
  static func point(_ bytes: Span<UInt8>) throws(CryptoError) -> [UInt8]? {
    guard SchnorrKeyshare(bytes) != nil else { return nil }
    let scalar = try SecretBytes(copying: bytes.extracting(secret)).reversed()
    return try ShareProof.point(of: scalar, on: .ed25519)
  }
}
