internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects a backup exported by the io.finnet app: its vaults' shares, encrypted with the owner's 24 words.
///
/// It is kept unchanged. If the source's password is the words, every vault is decrypted and compared with
/// its stored digest. The shares in it are not read.
enum IOFinnetCollector {
  static let kind = "io.finnet"

  private static let byteCountLimit = 64 << 20
  private static let entropyByteCount = 32

  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.contains("\"keyring\"") && beginning.contains("\"vaults\"")
      && beginning.contains("\"cipherparams\"")
      || beginning.contains("\"keyring\"") && beginning.contains("\"priv_ecdh\"")
  }

  fileprivate static func content(
    _ bytes: [UInt8], name: String, words: AskedPassword
  ) throws -> Kept? {
    var content = Kept(format: "io.finnet-backup")
    content.program = kind
    content.isSecret = false
    guard let root = try? JSONDocument(bytes, limit: byteCountLimit).root else {
      guard isLikely(bytes.span) else { return nil }
      content.findings = [WalletFinding(kind: kind, name: name, .faulty(.malformed))]
      return content
    }
    guard let vaults = root.member("vaults"), root.member("keyring") != nil || root.member("kdf") != nil
    else {
      return nil
    }
    let typed = try words.read()
    let key = try typed.flatMap { try entropy(of: $0) }
    let title = root.member("name")?.string ?? name
    for vault in vaults.children {
      var finding = WalletFinding(kind: kind, name: title, .notProved(.needsPassword), detail: vault.name)
      // The highest epoch is the current one.
      let epochs = vault.children.compactMap { epoch in UInt64(epoch.name).map { ($0, epoch) } }
      guard let newest = epochs.max(by: { $0.0 < $1.0 }), let sealed = Sealed(newest.1) else {
        finding.result = .faulty(.malformed)
        content.findings.append(finding)
        continue
      }
      finding.detail += ", \(newest.0)"
      if typed != nil { finding.result = try sealed.result(under: key) }
      content.findings.append(finding)
    }
    if content.findings.isEmpty {
      content.findings = [WalletFinding(kind: kind, name: title, .notProved(.nothingToCompare))]
    }
    return content
  }

  /// Returns the key for the words; nil for other text.
  private static func entropy(of words: SharedSecret) throws -> SharedSecret? {
    guard let entropy = try words.bytes.withBytes({ try MnemonicEntropy.of($0) }),
      entropy.count == entropyByteCount
    else { return nil }
    return SharedSecret(entropy)
  }

  /// A ciphertext, and the digest of its plaintext.
  private struct Sealed {
    private let bytes: [UInt8]
    private let nonce: [UInt8]
    private let digest: [UInt8]

    init?(_ value: JSONValue) {
      let parameters = value.member("cipherparams")
      guard let text = value.member("ciphertext")?.string, let sealed = Data(base64Encoded: text),
        let nonce = parameters?.member("iv")?.string.flatMap({ Hex.decode($0) }),
        let tag = parameters?.member("tag")?.string.flatMap({ Hex.decode($0) }),
        nonce.count == AESCipher.gcmNonceByteCount, tag.count == AESCipher.gcmTagByteCount
      else { return nil }
      bytes = Array(sealed) + tag
      self.nonce = nonce
      digest = value.member("hash")?.string.flatMap { Hex.decode($0) } ?? []
    }

    /// Decrypts and checks it.
    ///
    /// A nil key means invalid words.
    func result(under key: SharedSecret?) throws -> WalletFinding.Result {
      guard let key else { return .notProved(.wrongPassword) }
      let plain: SecretBytes
      do throws(CryptoError) {
        plain = try AESCipher.openGCM(bytes.span, key: key.bytes, nonce: nonce)
      } catch .notAuthentic {
        return .notProved(.wrongPassword)
      }
      let found = try plain.withBytes { try SHA512.secretHash($0) }
      let isSame = found.withBytes { $0.copied() == digest }
      return digest.isEmpty || isSame ? .proved(.opened) : .faulty(.checksum)
    }
  }
}

extension CollectorKind {
  static let ioFinnet = CollectorKind(
    IOFinnetCollector.kind, "vault backups of io.finnet", reach: .folder, guide: .wholeKits,
    programs: [
      WalletProgram(
        id: "iofinnet-export", title: "io.finnet vault backup",
        places: [
          .export("io.*vault*.json", kind: "io.finnet", .always, .oldShares),
          .export("iofinnet*.json", kind: "io.finnet", .always, .oldShares),
        ])
    ],
    fileNames: WalletNames(certain: ["io.*vault*.json", "iofinnet*.json"], possible: ["*.json"]),
    comparesEpochs: true, what: "vault backup of io.finnet",
    recognises: { IOFinnetCollector.isLikely($0) },
    look: { found, asked in
      Look(
        try IOFinnetCollector.content(found.publicBytes(), name: found.nameText, words: asked.password),
        or: asked)
    })
}

/// Decodes a BIP-39 phrase to its entropy, and verifies the checksum.
enum MnemonicEntropy {
  private static let wordByteCountLimit = 16

  /// Returns the entropy of 12 to 24 words; nil for any other text.
  static func of(
    _ text: Span<UInt8>, wordCounts: Set<Int> = [12, 15, 18, 21, 24]
  ) throws(CryptoError) -> SecretBytes? {
    guard let places = places(text), wordCounts.contains(places.count) else { return nil }
    let count = places.count * 4 / 3
    var entropy = try SecretBytes(count: count)
    var checksum: UInt8 = 0
    entropy.withMutableBytes { bytes in
      for bit in 0..<places.count * 11 where places[bit / 11] >> (10 - bit % 11) & 1 == 1 {
        if bit / 8 < count {
          bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
        } else {
          checksum |= 0x80 >> UInt8(bit % 8)
        }
      }
    }
    let expected = entropy.withBytes { SHA256.hash($0).bytes[0] }
    let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (count / 4))
    guard expected & mask == checksum else { return nil }
    return entropy
  }

  /// Returns the list index of each of up to 24 words; nil if a word is not in the list.
  static func places(_ text: Span<UInt8>) -> [Int]? {
    var (places, word) = ([Int](), [UInt8]())
    for index in 0...text.count {
      let byte = index < text.count ? text[index] : 0x20
      guard byte == 0x20 || 0x09...0x0D ~= byte else {
        word.append(byte | 0x20)
        guard word.count <= wordByteCountLimit else { return nil }
        continue
      }
      guard !word.isEmpty else { continue }
      guard places.count < 24, let place = words[word] else { return nil }
      places.append(place)
      word.removeAll(keepingCapacity: true)
    }
    return places
  }

  private static let words: [[UInt8]: Int] = Dictionary(
    uniqueKeysWithValues: EnglishWords.all.enumerated().map { (Array($1.utf8), $0) })
}
