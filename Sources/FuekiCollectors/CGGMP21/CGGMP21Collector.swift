internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Collects key shares of cggmp21 and cggmp24, in JSON or CBOR.
enum CGGMP21Collector {
  static let kind = "cggmp21"

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let files = source.shares("key share of cggmp21")
    return try files.read(request) { bytes, name in
      guard let root = try ShareValue.document(bytes, limit: files.byteCountLimit),
        var share = try CGGMP21Share(root, name: name)
      else {
        return bytes.withBytes { Self.isLikely($0) }
          ? ShareFileContent(
            format: Self.kind, isSecret: true, WalletFinding(kind: Self.kind, name: name, .faulty(.malformed))
          )
          : nil
      }
      var content = ShareFileContent(format: Self.kind)
      let result = try share.result()
      content.shares = [
        FoundShare(
          descriptor: share.side.descriptor, secret: SharedSecret(try bytes.copied()),
          finding: WalletFinding(
            kind: Self.kind, name: name, result, detail: ShareProof.detail(share.side)))
      ]
      if share.hasUnreadPrimes {
        content.problems.append("the primes of its auxiliary part are in a form that is not read here")
      }
      if CGGMP21Share.share(in: root).member("core") == nil {
        content.problems.append("it has no auxiliary part: make a new one before it signs again")
      }
      return content
    }
  }

  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.contains("public_shares") && beginning.contains("shared_public_key")
  }
}

extension CollectorKind {
  static let cggmp21 = CollectorKind(
    CGGMP21Collector.kind, "key shares of cggmp21 (JSON, CBOR)", reach: .folder, guide: .bareKeyShares,
    fileNames: WalletNames(possible: ["*.json"]), hasKeyShares: true,
    recognises: { CGGMP21Collector.isLikely($0) }, read: CGGMP21Collector.read)
}

extension ShareEncoding {
  /// Reads the secret of a complete cggmp21 file in either form.
  static let cggmp21 = reading(CGGMP21Share.encoding) { try CGGMP21Share.point($0, on: $1) }
}
