internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Key shares of cggmp21 and cggmp24, in JSON or CBOR.
enum CGGMP21Collector {
  static let kind = "cggmp21"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    let name = found.nameText
    guard let root = try ShareValue.document(bytes, limit: bytes.count),
      var share = try CGGMP21Share(root, name: name)
    else { return .other(reason: "it is no key share of cggmp21") }
    var content = Kept(format: Self.kind)
    let result = try share.result()
    content.shares = [
      FoundShare(
        descriptor: share.side.descriptor, secret: SharedSecret(try bytes.copied()),
        finding: asked.finding(name, result, detail: ShareProof.detail(share.side)))
    ]
    if share.hasUnreadPrimes {
      content.problems.append("the primes of its auxiliary part are in a form that is not read here")
    }
    if CGGMP21Share.share(in: root).member("core") == nil {
      content.problems.append("it has no auxiliary part: make a new one before it signs again")
    }
    return .wallet(content)
  }

  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.contains("public_shares") && beginning.contains("shared_public_key")
  }
}

extension CollectorKind {
  static let cggmp21 = CollectorKind(
    CGGMP21Collector.kind, "key shares of cggmp21 (JSON, CBOR)", reach: .folder, guide: .bareKeyShares,
    fileNames: WalletNames(possible: ["*.json"]), hasKeyShares: true, comparesEpochs: true,
    what: "key share of cggmp21", recognises: { CGGMP21Collector.isLikely($0) }, look: CGGMP21Collector.look)
}

extension ShareEncoding {
  /// Reads the secret of a complete cggmp21 file in either form.
  static let cggmp21 = reading(CGGMP21Share.encoding) { try CGGMP21Share.point($0, on: $1) }
}

/// A key share of cggmp21 or cggmp24 (LFDT Lockness, formerly Dfns), with or without its auxiliary part.
struct CGGMP21Share {
  static let encoding = "cggmp21"

  private static let curves: [String: Curve] = [
    "secp256k1": .secp256k1, "secp256r1": .p256, "stark": .stark, "starkcurve": .stark, "ed25519": .ed25519,
  ]

  private(set) var side: SharePublicSide
  /// The scalar, 32 bytes big-endian; nil if it is missing.
  private let secret: SharedSecret?
  private let isAdditive: Bool
  private let auxiliary: ShareValue?
  private let own: Int
  /// Whether the auxiliary part's numbers are in an unsupported form.
  private(set) var hasUnreadPrimes = false

  /// Parses a document; nil for other documents.
  init?(_ document: ShareValue, name: String) throws {
    let root = Self.share(in: document)
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
      // Places and points must belong to the same parties.
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

  /// Returns the value of the share.
  mutating func result() throws -> WalletFinding.Result {
    guard let curve = Curve(rawValue: side.curve) else { return .notProved(.unknownScheme) }
    guard let secret else { return .faulty(.malformed) }
    let point = try ShareProof.point(of: secret.bytes, on: curve)
    if !isAdditive, side.parties.isEmpty { return .faulty(.malformed) }
    var result = try ShareProof.result(of: &side, point: point)
    if isAdditive, result == .proved(.publicKey) { result = try sum(on: curve) }
    guard case .proved = result, let auxiliary else { return result }
    switch try factors(of: auxiliary) {
    case .right: return result
    case .wrong: return .faulty(.secretDiffers)
    case .missing: return .faulty(.malformed)
    case .unread:
      hasUnreadPrimes = true
      return result
    }
  }

  /// Shares without a polynomial are all added.
  private func sum(on curve: Curve) throws(CryptoError) -> WalletFinding.Result {
    do throws(CryptoError) {
      let sum = try CurvePoint.sum(of: additive, on: curve)
      return sum == side.groupKey ? .proved(.groupKey) : .faulty(.groupDiffers)
    } catch {
      guard error.concernsInput else { throw error }
      return .faulty(.malformed)
    }
  }

  /// Returns the share, which the user's program may have wrapped once, as in `{"key_share": …}`.
  static func share(in document: ShareValue) -> ShareValue {
    func isShare(_ value: ShareValue) -> Bool {
      (value.member("core") ?? value).member("public_shares") != nil
    }
    guard !isShare(document) else { return document }
    let inner = document.members.map(\.value).filter(isShare)
    return inner.count == 1 ? inner[0] : document
  }

  private enum Factors {
    case right, wrong, missing, unread
  }

  /// Checks that the secret primes are the factors of the party's public modulus.
  ///
  /// The library for big numbers changed its format several times. An unknown format is not a fault.
  private func factors(of auxiliary: ShareValue) throws -> Factors {
    let parties = auxiliary.member("parties")?.elements ?? []
    guard own < parties.count, let modulus = parties[own].member("N"), let first = auxiliary.member("p"),
      let second = auxiliary.member("q")
    else { return .missing }
    guard let product = modulus.bytes(), let p = try first.secret(), let q = try second.secret() else {
      return .unread
    }
    do throws(CryptoError) {
      return try FactorCheck.areFactors(p, q, of: product) ? .right : .wrong
    } catch .invalidLength {
      return .wrong
    }
  }

  /// Returns the public point of a complete file's secret; nil for other bytes.
  static func point(_ bytes: Span<UInt8>, on curve: Curve) throws -> [UInt8]? {
    let copy = try SecretBytes(copying: bytes)
    guard let root = try ShareValue.document(copy, limit: ImportLimits.walletByteCount),
      let share = try CGGMP21Share(root, name: ""), let secret = share.secret
    else { return nil }
    return try ShareProof.point(of: secret.bytes, on: curve)
  }
}
