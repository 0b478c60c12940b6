internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Keyshares of sl-dkls23 as saved by its users: raw bytes, or their base64.
enum DKLSCollector {
  static let kind = "dkls23"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    let name = found.nameText
    if let content = try content(bytes, name: name) { return .wallet(content) }
    if let decoded = try bytes.withBytes({ try GuardedEncodings.base64($0) }),
      let content = try content(decoded, name: name)
    {
      return .wallet(content)
    }
    return .other(reason: "it is no keyshare of dkls23")
  }

  private static func content(_ bytes: borrowing SecretBytes, name: String) throws -> Kept? {
    var content = Kept(format: kind)
    let side: SharePublicSide
    let result: WalletFinding.Result
    if let share = bytes.withBytes({ DKLSKeyshare($0) }) {
      var found = share.side(name: name, encoding: DKLSKeyshare.encoding)
      result = try bytes.withBytes { try share.result(of: &found, $0, wanted: []) }
      side = found
    } else if let share = bytes.withBytes({ SchnorrKeyshare($0) }) {
      (side, result) = try bytes.withBytes {
        try share.proved($0, name: name, encoding: SchnorrKeyshare.encoding, wanted: [])
      }
    } else if bytes.withBytes({ DKLSKeyshare.isLikely($0) }) {
      return Kept(
        format: kind, isSecret: true, WalletFinding(kind: kind, name: name, .faulty(.length)))
    } else {
      return nil
    }
    let finding = WalletFinding(kind: kind, name: name, result, detail: ShareProof.detail(side))
    content.shares = [
      FoundShare(
        descriptor: side.descriptor, secret: SharedSecret(try bytes.copied()), finding: finding)
    ]
    return content
  }
}

extension CollectorKind {
  static let dkls = CollectorKind(
    DKLSCollector.kind, "keyshares of dkls23", reach: .folder, guide: .bareKeyShares,
    fileNames: WalletNames(possible: ["*.json"]), hasKeyShares: true, comparesEpochs: true,
    what: "keyshare of dkls23", recognises: { DKLSKeyshare.isLikely($0) && $0.count > 172 },
    look: DKLSCollector.look)
}

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
