internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A keyshare of sl-dkls23, an ECDSA scheme.
///
///     00000001 ‖ u32 extra ‖ n ‖ t ‖ id ‖ session 32 ‖ chain code 32 ‖ key 33 ‖ key id 32 ‖ s 32
///     n times: rank ‖ public share 33 ‖ x 32 ‖ seed 32;   n - 1 times: seeds 65,600;   extra      (big-endian)
struct DKLSKeyshare {
  static let encoding = "dkls23"
  static let encodingInVault = "vultisig-dkls"

  private static let magic: [UInt8] = [0, 0, 0, 1]
  private static let headByteCount = 172
  private static let partyByteCount = 98
  private static let seedsByteCount = 65_600
  private static let secret = 140..<172

  let chainCode: [UInt8]
  private let total: Int
  private let threshold: Int
  private let own: Int
  private let session: [UInt8]
  private let key: [UInt8]
  private let keyID: [UInt8]
  private let parties: [(rank: UInt8, point: [UInt8], place: [UInt8])]

  /// Whether bytes start like a keyshare, whatever their length.
  static func isLikely(_ bytes: Span<UInt8>) -> Bool {
    bytes.starts(with: magic) && bytes.count > 11 && bytes[8] > 0 && bytes[9] > 0 && bytes[9] <= bytes[8]
      && bytes[10] < bytes[8]
  }

  /// Parses complete bytes; nil if their length contradicts the content: a share without all seeds cannot
  /// sign.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count > Self.headByteCount, Self.isLikely(bytes) else { return nil }
    let extra = (4..<8).reduce(0) { $0 << 8 | Int(bytes[$1]) }
    (total, threshold, own) = (Int(bytes[8]), Int(bytes[9]), Int(bytes[10]))
    let length = Self.headByteCount + total * Self.partyByteCount + (total - 1) * Self.seedsByteCount
    guard bytes.count == length + extra else { return nil }
    func part(_ start: Int, _ count: Int) -> [UInt8] { bytes.extracting(start..<start + count).copied() }
    (session, chainCode, key, keyID) = (part(11, 32), part(43, 32), part(75, 33), part(108, 32))
    parties = (0..<total).map { party in
      let start = Self.headByteCount + party * Self.partyByteCount
      return (bytes[start], part(start + 1, 33), part(start + 34, 32))
    }
  }

  func side(name: String, encoding: String) -> SharePublicSide {
    var side = SharePublicSide(
      scheme: "dkls23", curve: Curve.secp256k1.rawValue, encoding: encoding, name: name)
    side.groupKey = key
    (side.partyIndex, side.threshold, side.total) = (own, threshold, total)
    side.ownPoint = parties[own].point
    side.ownPlace = parties[own].place
    // With ranks, parties' points can also be derivatives of the polynomial.
    if hasRanks { side.extra.append(Extra("ranks", json: "\(parties.map { Int($0.rank) })")) }
    side.parties = hasRanks ? [] : parties.map { ($0.place, $0.point) }
    side.extra.append(Extra("final_session_id", json: JSONText.quoted(Hex.encode(session))))
    side.extra.append(Extra("key_id", json: JSONText.quoted(Hex.encode(keyID))))
    return side
  }

  private var hasRanks: Bool { parties.contains { $0.rank != 0 } }

  /// Returns the value of the share.
  func result(
    of side: inout SharePublicSide, _ bytes: Span<UInt8>, wanted: [UInt8]
  ) throws(CryptoError) -> WalletFinding.Result {
    try ShareProof.result(of: &side, point: Self.point(bytes), wanted: wanted)
  }

  /// Returns the public point of complete bytes' secret; nil for other bytes.
  static func point(_ bytes: Span<UInt8>) throws(CryptoError) -> [UInt8]? {
    guard DKLSKeyshare(bytes) != nil else { return nil }
    return try ShareProof.point(of: SecretBytes(copying: bytes.extracting(secret)), on: .secp256k1)
  }
}
