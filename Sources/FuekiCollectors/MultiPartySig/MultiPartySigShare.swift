internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A share of Taurus's multi-party-sig, for CMP or its FROST.
struct MultiPartySigShare {
  static let encoding = "multi-party-sig"

  private(set) var side: SharePublicSide
  private let secret: SharedSecret?
  private let document: ShareValue
  private let id: String

  private enum Scheme: String { case cmp, frost, taproot = "frost-taproot" }
  private let scheme: Scheme

  /// Parses a document; nil for other documents.
  init?(_ root: ShareValue, name: String) throws {
    // Sygma nests the share in a member. Texts are base64 in JSON.
    let inner = root.member("Key") ?? root
    let isText: Bool = if case .json = root { true } else { false }
    guard let id = inner.member("ID")?.text, let threshold = inner.member("Threshold")?.count else {
      return nil
    }
    self.id = id
    document = inner
    let curve = Curve.secp256k1
    var side = SharePublicSide(scheme: "", curve: curve.rawValue, encoding: Self.encoding, name: name)
    // It is the number of corruptible parties. One more is needed to sign.
    side.threshold = threshold + 1
    var entries: [(id: String, point: [UInt8])] = []
    let secret: ShareValue?
    if let parties = inner.member("Public"), let share = inner.member("ECDSA") {
      scheme = .cmp
      secret = share
      entries = parties.elements.prefix(PointPolynomial.pointLimit).map {
        ($0.member("ID")?.text ?? "", $0.member("ECDSA")?.bytes(isBase64: isText) ?? [])
      }
    } else if let shares = inner.member("VerificationShares"), let share = inner.member("PrivateShare") {
      secret = share
      // The library's own type for the points is a map in a map.
      let members = (shares.member("Points") ?? shares).members.prefix(PointPolynomial.pointLimit)
      entries = members.map { ($0.name, $0.value.bytes(isBase64: isText) ?? []) }
      let key = inner.member("PublicKey")?.bytes(isBase64: isText) ?? []
      scheme = key.count == 32 ? .taproot : .frost
      side.groupKey = key.count == 32 ? [2] + key : key
    } else {
      return nil
    }
    side.scheme = scheme == .cmp ? "cmp" : scheme.rawValue
    for entry in entries {
      let place = try CurveScalar.reduced(Array(entry.id.utf8.prefix(1024)), on: curve)
      side.parties.append((place, entry.point))
      if entry.id == id { (side.ownPlace, side.ownPoint) = (place, entry.point) }
    }
    side.parties.sort { $0.place.lexicographicallyPrecedes($1.place) }
    side.total = side.parties.count
    side.partyIndex = side.parties.firstIndex { $0.place == side.ownPlace }
    side.extra = [Extra("ID", json: JSONText.quoted(id))]
    if let mark = inner.member("RID")?.bytes(isBase64: isText) {
      side.extra.append(Extra("RID", json: JSONText.quoted(Hex.encode(mark))))
    }
    if scheme == .cmp {
      // The key is not stated. The public shares determine it.
      side.groupKey =
        (try? CurvePoint.interpolateAtZero(side.parties.map { (x: $0.place, point: $0.point) }, on: curve))
        ?? []
    }
    self.side = side
    self.secret = try secret?.scalar(isBase64: isText)
  }

  /// Assesses the share.
  mutating func result() throws -> WalletFinding.Result {
    guard let secret else { return .faulty(.malformed) }
    let point = try ShareProof.point(of: secret.bytes, on: .secp256k1)
    let result = try ShareProof.result(of: &side, point: point)
    guard case .proved = result, scheme == .cmp else { return result }
    return try hasOtherSecrets() ? result : .faulty(.secretDiffers)
  }

  /// Whether the other two secrets match the party's public entry.
  private func hasOtherSecrets() throws -> Bool {
    let isText: Bool = if case .json = document { true } else { false }
    guard let own = document.member("Public")?.elements.first(where: { $0.member("ID")?.text == id }),
      let key = try document.member("ElGamal")?.scalar(isBase64: isText),
      try ShareProof.point(of: key.bytes, on: .secp256k1) == own.member("ElGamal")?.bytes(isBase64: isText),
      let product = own.member("N")?.bytes(isBase64: isText),
      let p = try document.member("P")?.secret(isBase64: isText),
      let q = try document.member("Q")?.secret(isBase64: isText)
    else { return false }
    return (try? FactorCheck.areFactors(p, q, of: product)) ?? false
  }

  /// Returns the public point of a complete file's secret; nil for other bytes.
  static func point(_ bytes: Span<UInt8>) throws -> [UInt8]? {
    let copy = try SecretBytes(copying: bytes)
    guard let root = try MultiPartySigFile.document(copy), let share = try MultiPartySigShare(root, name: ""),
      let secret = share.secret
    else { return nil }
    return try ShareProof.point(of: secret.bytes, on: .secp256k1)
  }
}
