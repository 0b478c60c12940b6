internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A key share of cggmp21 or cggmp24 (LFDT Lockness, formerly Dfns): the core alone, or with its auxiliary part.
struct CGGMP21Share {
  static let encoding = "cggmp21"

  private static let curves: [String: Curve] = [
    "secp256k1": .secp256k1, "secp256r1": .p256, "stark": .stark, "starkcurve": .stark, "ed25519": .ed25519,
  ]

  private(set) var side: SharePublicSide
  /// The scalar, 32 bytes big-endian; nil where there is none.
  private let secret: SharedSecret?
  private let isAdditive: Bool
  private let auxiliary: ShareValue?
  private let own: Int

  /// Reads a document; nil for other ones.
  init?(_ root: ShareValue, name: String) throws {
    let core = root.member("core") ?? root
    guard let points = core.member("public_shares"), let key = core.member("shared_public_key"),
      let x = core.member("x")
    else { return nil }
    let curveName = core.member("curve")?.text ?? ""
    let curve = Self.curves[curveName]
    side = SharePublicSide(
      scheme: "cggmp21", curve: curve?.rawValue ?? curveName, encoding: Self.encoding, name: name)
    side.groupKey = key.bytes() ?? []
    let shares = points.elements.prefix(ImportLimits.partiesOfShare).map { $0.bytes() ?? [] }
    side.total = shares.count
    own = core.member("i")?.count ?? .max
    side.partyIndex = own < shares.count ? own : nil
    if own < shares.count { side.ownPoint = shares[own] }
    let setup = core.member("vss_setup")
    isAdditive = setup == nil
    if let setup {
      side.threshold = setup.member("min_signers")?.count
      let places = setup.member("I")?.elements.map { $0.bytes() ?? [] } ?? []
      side.parties = zip(places, shares).map { ($0, $1) }
      // Places and points are those of the same parties.
      if places.count != shares.count { side.parties = [] }
      if own < side.parties.count { side.ownPlace = side.parties[own].place }
    } else {
      side.threshold = shares.count
    }
    if let code = core.member("chain_code")?.bytes() {
      side.extra.append(Extra("chain_code", json: JSONText.quoted(Hex.encode(code))))
    }
    secret = try x.scalar()
    auxiliary = root.member("aux")
    additive = isAdditive ? shares : []
  }

  private let additive: [[UInt8]]

  /// What the share is worth.
  mutating func result() throws -> WalletFinding.Result {
    guard let curve = Curve(rawValue: side.curve) else { return .notProved(.unknownScheme) }
    guard let secret else { return .faulty(.malformed) }
    let point = try ShareProof.point(of: secret.bytes, on: curve)
    if !isAdditive, side.parties.isEmpty { return .faulty(.malformed) }
    var result = try ShareProof.result(of: &side, point: point)
    if isAdditive, result == .proved(.publicKey) { result = try sum(on: curve) }
    guard case .proved = result, let factors = try hasFactors() else { return result }
    return factors ? result : .faulty(.secretDiffers)
  }

  /// Shares without a polynomial are added up, all of them.
  private func sum(on curve: Curve) throws(CryptoError) -> WalletFinding.Result {
    do throws(CryptoError) {
      let sum = try CurvePoint.sum(of: additive, on: curve)
      return sum == side.groupKey ? .proved(.groupKey) : .faulty(.groupDiffers)
    } catch {
      guard error.concernsInput else { throw error }
      return .faulty(.malformed)
    }
  }

  /// Whether the secret primes are those of the own public modulus; nil where there is no auxiliary part.
  private func hasFactors() throws -> Bool? {
    guard let auxiliary else { return nil }
    let parties = auxiliary.member("parties")?.elements ?? []
    guard own < parties.count, let product = parties[own].member("N")?.bytes(),
      let p = try auxiliary.member("p")?.secret(), let q = try auxiliary.member("q")?.secret()
    else { return false }
    return try? FactorCheck.areFactors(p, q, of: product)
  }

  /// The public point of a whole file's secret; nil for bytes that are none.
  static func point(_ bytes: Span<UInt8>, on curve: Curve) throws -> [UInt8]? {
    let copy = try SecretBytes(copying: bytes)
    guard let root = try ShareValue.document(copy, limit: ImportLimits.walletByteCount),
      let share = try CGGMP21Share(root, name: ""), let secret = share.secret
    else { return nil }
    return try ShareProof.point(of: secret.bytes, on: curve)
  }
}
