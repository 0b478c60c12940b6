internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto
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
