internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Key shares of Taurus's multi-party-sig, and those of Sygma's relayers: CBOR, possibly inside a byte string, or the JSON of Sygma's relayers.
enum MultiPartySigFile {
  static let kind = "multi-party-sig"
  static let sygmaEncoding = "sygma-ecdsa"

  private static let byteCountLimit = 16 << 20

  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    guard beginning.contains("Threshold") else { return false }
    if beginning.contains("ElGamal") && beginning.contains("ECDSA") { return true }
    if beginning.contains("VerificationShares") && beginning.contains("PrivateShare") { return true }
    return beginning.contains("\"Peers\"") && beginning.contains("\"Key\"")
      && beginning.contains("\"ShareID\"")
  }

  /// Parses a file; nil for other bytes.
  static func document(_ bytes: borrowing SecretBytes) throws(CryptoError) -> ShareValue? {
    guard let root = try ShareValue.document(bytes, limit: byteCountLimit) else { return nil }
    guard case .cbor(let value) = root, value.kind == .bytes else { return root }
    // One way of saving wraps the other's bytes in a string.
    let inner = try bytes.copy(value.content)
    return CBORDocument(inner).map { .cbor($0.root) }
  }

  /// Returns the contents of a file; nil for other kinds of files.
  static func content(_ bytes: borrowing SecretBytes, name: String) throws -> Kept? {
    let isLikely = bytes.withBytes { Self.isLikely($0) }
    let damaged = Kept(
      format: kind, isSecret: true, WalletFinding(kind: kind, name: name, .faulty(.malformed)))
    guard let root = try document(bytes) else { return isLikely ? damaged : nil }
    var side: SharePublicSide
    let result: WalletFinding.Result
    if var share = try MultiPartySigShare(root, name: name) {
      result = try share.result()
      side = share.side
    } else if let found = try bytes.withBytes({ try Sygma($0, root, name: name) }) {
      side = found.side
      result = try ShareProof.result(of: &side, point: found.point)
    } else {
      return isLikely ? damaged : nil
    }
    var content = Kept(format: kind)
    let finding = WalletFinding(kind: kind, name: name, result, detail: ShareProof.detail(side))
    content.shares = [
      FoundShare(
        descriptor: side.descriptor, secret: SharedSecret(try bytes.copied()), finding: finding)
    ]
    return content
  }

  /// Sygma's ECDSA share: tss-lib's data, and the threshold.
  struct Sygma {
    var side: SharePublicSide
    let point: [UInt8]?

    init?(_ text: Span<UInt8>, _ root: ShareValue, name: String) throws {
      guard let range = Self.key(text) else { return nil }
      let share: TssLibShare
      do {
        share = try TssLibShare(
          text.extracting(range), name: name, byteCountLimit: ImportLimits.tssShareByteCount)
      } catch is TssLibShare.Refusal {
        return nil
      }
      side = SharePublicSide(share.descriptor, encoding: sygmaEncoding)
      side.threshold = root.member("Threshold")?.count.map { $0 + 1 }
      // With another party's moduli, the scalar alone cannot sign.
      point = share.hasWrongModuli ? nil : try Self.point(text, on: Curve(rawValue: side.curve) ?? .secp256k1)
    }

    static func point(_ text: Span<UInt8>, on curve: Curve) throws -> [UInt8]? {
      try key(text).flatMap { try TssLibShare.point(text.extracting($0), on: curve) }
    }

    private static func key(_ text: Span<UInt8>) -> Range<Int>? {
      guard let outline = try? JSONOutline(text, limit: ImportLimits.tssShareByteCount),
        let key = outline.member("Key", of: outline.root, in: text), outline.kind(of: key) == .object
      else { return nil }
      return outline.range(of: key)
    }
  }
}

extension CollectorKind {
  static let multiPartySig = CollectorKind(
    MultiPartySigFile.kind, "key shares of multi-party-sig (CBOR), and Sygma's", reach: .folder,
    guide: .keyShares,
    programs: [
      WalletProgram(
        id: "sygma-export", title: "Sygma key share",
        places: [.export("*.keyshare", kind: "multi-party-sig", .never, .clearSecret, .oldShares)])
    ],
    fileNames: WalletNames(certain: ["*.keyshare"], possible: ["*.json"]), hasKeyShares: true,
    comparesEpochs: true, what: "key share of multi-party-sig",
    recognises: { MultiPartySigFile.isLikely($0) },
    look: { found, asked in
      Look(try MultiPartySigFile.content(found.bytes(), name: found.nameText), or: asked)
    })
}

extension ShareEncoding {
  /// The encodings of complete files.
  static let multiPartySig: [ShareEncoding] = [
    reading(MultiPartySigShare.encoding) { bytes, _ in try MultiPartySigShare.point(bytes) },
    reading(MultiPartySigFile.sygmaEncoding) { try MultiPartySigFile.Sygma.point($0, on: $1) },
  ]
}

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
