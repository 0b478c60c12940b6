internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// What the backup of an Electrum wallet is worth: its secrets against the public keys beside them, and those against
/// its first address.
struct ElectrumWorth {
  private let root: GuardedValue
  private let secrets: ElectrumSecrets
  private let wallet: Wallet
  /// How many secrets lead to the public key beside them.
  private var provenCount = 0
  /// How many of them are cosigners' or the wallet's one extended key.
  private var provenTops = 0
  private var fault: WalletFinding.Fault?

  /// Judges a wallet that was read; a wrong passphrase left its secrets closed.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  static func of(
    _ root: GuardedValue, _ secrets: ElectrumSecrets, _ wallet: Wallet, isWrongPassphrase: Bool
  ) throws -> WalletFinding.Result {
    // Beside a cosigner that is a device, another one may have its secret here.
    let isPart = ElectrumWallet.required(root) != nil && secrets.count > 0
    guard wallet.walletKind == .hot || isPart else { return .publicPart }
    guard secrets.closedCount == 0 else {
      return .notProved(isWrongPassphrase ? .wrongPassword : .needsPassword)
    }
    var worth = ElectrumWorth(root: root, secrets: secrets, wallet: wallet)
    for secret in secrets.found { try worth.judge(secret) }
    return try worth.result()
  }

  private init(root: GuardedValue, secrets: ElectrumSecrets, wallet: Wallet) {
    (self.root, self.secrets, self.wallet) = (root, secrets, wallet)
  }

  private func result() throws -> WalletFinding.Result {
    if let fault { return .faulty(fault) }
    guard provenCount > 0 else { return .notProved(.unknownScheme) }
    if let required = ElectrumWallet.required(root), provenTops < required {
      return .notProved(.needsOtherParties)
    }
    guard provenTops > 0 else { return .proved(.publicKey) }
    switch leadsToAddress() {
    case true?: return .proved(.address)
    case false?: return .faulty(.otherAddress)
    case nil: return .proved(.publicKey)
    }
  }

  private mutating func judge(_ secret: ElectrumSecret) throws {
    let parts = secret.place.split(separator: "/").map(String.init)
    switch secret.kind {
    case "extended-private-key":
      guard let text = stated(parts, secret.place), let key = try? ExtendedPublicKey(parsing: text) else {
        return
      }
      try judge(secret.secret, against: key)
    case "private-key": try judge(key: secret.secret, of: parts.last ?? "")
    case "electrum-seed": try judge(seed: secret.secret, in: secret.place)
    default: break
    }
  }

  /// The extended public key that stands beside an extended private key.
  private func stated(_ parts: [String], _ place: String) -> String? {
    if parts.first == "master_private_keys" {
      let name = String(place.dropFirst("master_private_keys/".count))
      return root.member("master_public_keys")?.member(name)?.string
    }
    guard place.hasSuffix("/xprv") else { return nil }
    return root.member(String(place.dropLast("/xprv".count)))?.member("xpub")?.string
  }

  private mutating func judge(_ text: SharedSecret, against stated: ExtendedPublicKey) throws {
    do throws(ExtendedKeyError) {
      let key = try ExtendedPrivateKey(parsing: text.bytes).publicKey()
      note(key.key == stated.key && key.chainCode == stated.chainCode, isTop: true)
    } catch .crypto(let error) {
      throw error
    } catch {
      fault = .malformed
    }
  }

  private mutating func note(_ fits: Bool, isTop: Bool = false) {
    guard fits else { return fault = .secretDiffers }
    provenCount += 1
    if isTop { provenTops += 1 }
  }

  /// A key in the wallet import format, with the kind of its address before a colon, by its public key or its address.
  private mutating func judge(key text: SharedSecret, of name: String) throws {
    let start = text.bytes.withBytes { bytes in
      bytes.indices.first { bytes[$0] == UInt8(ascii: ":") }.map { $0 + 1 } ?? 0
    }
    let spelled = try text.bytes.copy(start..<text.bytes.count)
    guard let scalar = try SpelledKey.scalar(of: spelled) else { return }
    let point: [UInt8]
    do throws(CryptoError) {
      point = try CurvePoint.multiplyBase(scalar, on: .secp256k1)
    } catch .invalidKey {
      return fault = .malformed
    }
    if let stated = Hex.decode(name) {
      let long = [4] + (try CurvePoint.uncompressedSecp256k1(point))
      return note(stated == point || stated == long)
    }
    guard let addresses = try? KeyAddresses(of: point, on: .secp256k1),
      addresses.contains(name, family: .bitcoin, chainID: wallet.chainID)
      // An address of the key's long encoding, or within a script's, is not looked for.
    else { return }
    note(true)
  }

  /// Electrum's own seed phrase, where it is one by its own rule and of plain letters: what it leads to is the wallet's
  /// extended key.
  private mutating func judge(seed: SharedSecret, in place: String) throws {
    let store = root.member(String(place.dropLast("/seed".count)))
    guard let text = store?.member("xpub")?.string, let stated = try? ExtendedPublicKey(parsing: text),
      let type = try ElectrumSeed.type(of: seed.bytes), store?.member("passphrase")?.string ?? "" == ""
    else { return }
    do throws(ExtendedKeyError) {
      let top = try ExtendedPrivateKey(seed: try ElectrumSeed.seed(seed.bytes))
      // Electrum takes m/0h for a wallet of one signer, and m/1h for one of several.
      let account: UInt32 = ElectrumWallet.required(root) == nil ? 0 : 1
      let step = DerivationStep(number: DerivationStep.hardenedBase + account)
      let key = type == .segwit ? try top.child(step) : top
      let point = try key.publicKey()
      note(point.key == stated.key && point.chainCode == stated.chainCode)
    } catch .crypto(let error) {
      throw error
    } catch {}
  }

  /// Whether the first address is that of the extended keys; nil where it cannot be told.
  private func leadsToAddress() -> Bool? {
    guard let text = wallet.descriptors.first, let network = BitcoinNetwork.named(wallet.chainID),
      let stated = PackedText.text(wallet.address), !stated.isEmpty,
      let descriptor = try? Descriptor(parsing: text),
      let derived = try? descriptor.address(at: 0, network: network)
    else { return nil }
    return derived == stated
  }
}

/// Seed phrases as Electrum makes them since version 2.0.
private enum ElectrumSeed {
  enum Kind {
    case standard
    case segwit
  }

  /// What the phrase's own checksum says; nil for other phrases, and for those that would have to be normalised first.
  static func type(of words: borrowing SecretBytes) throws(CryptoError) -> Kind? {
    let label = Array("Seed version".utf8)
    let code = try words.withBytes { (words) throws(CryptoError) -> SecretBytes? in
      guard words.count > 0, words.indices.allSatisfy({ 0x61...0x7a ~= words[$0] || words[$0] == 0x20 })
      else { return nil }
      return try HMACSHA512.secretCode(of: words, key: label.span)
    }
    guard let code else { return nil }
    return code.withBytes { code in
      if code[0] == 0x01 { return .standard }
      return code[0] == 0x10 && code[1] >> 4 == 0 ? .segwit : nil
    }
  }

  /// The 64 bytes that the extended keys are derived from, with no words added to the phrase.
  static func seed(_ words: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    do throws(CryptoError) {
      let salt = try SecretBytes(copying: Array("electrum".utf8).span)
      return try PBKDF2.derive(from: words, salt: salt, iterations: 2048, count: 64, hash: .sha512)
    } catch {
      throw .crypto(error)
    }
  }
}
