internal import FoundationEssentials
internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto
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
