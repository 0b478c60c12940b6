internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// Assesses an Electrum wallet's backup: its secrets against the stored public keys, and those against its
/// first address.
struct ElectrumWorth {
  private let root: GuardedValue
  private let secrets: ElectrumSecrets
  private let wallet: Wallet
  /// The number of secrets that match their public keys.
  private var provenCount = 0
  /// The number of those that are cosigners' keys or the wallet's single extended key.
  private var provenTops = 0
  private var fault: WalletFinding.Fault?

  /// Assesses a parsed wallet.
  ///
  /// A wrong passphrase leaves its secrets encrypted.
  static func of(
    _ root: GuardedValue, _ secrets: ElectrumSecrets, _ wallet: Wallet, isWrongPassphrase: Bool
  ) throws -> WalletFinding.Result {
    // If one cosigner is a hardware device, another's secret may still be here.
    let isPart = ElectrumWallet.required(root) != nil && secrets.count > 0
    guard wallet.walletKind == .hot || isPart else { return .publicPart() }
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

  /// Returns the extended public key stored next to an extended private key.
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

  /// Compares a key in the wallet import format, after an address type and a colon, with its public key or
  /// address.
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
      // Addresses of uncompressed keys and of scripts are not checked.
    else { return }
    note(true)
  }

  /// Compares an Electrum seed phrase with the wallet's extended key.
  ///
  /// The phrase must be valid by Electrum's own rule and consist of plain letters.
  private mutating func judge(seed: SharedSecret, in place: String) throws {
    let store = root.member(String(place.dropLast("/seed".count)))
    guard let text = store?.member("xpub")?.string, let stated = try? ExtendedPublicKey(parsing: text),
      let type = try ElectrumSeed.type(of: seed.bytes), store?.member("passphrase")?.string ?? "" == ""
    else { return }
    do throws(ExtendedKeyError) {
      let top = try ExtendedPrivateKey(seed: try ElectrumSeed.seed(seed.bytes))
      // Electrum uses m/0h for a single signer, and m/1h for a multisig.
      let account: UInt32 = ElectrumWallet.required(root) == nil ? 0 : 1
      let step = DerivationStep(number: DerivationStep.hardenedBase + account)
      let key = type == .segwit ? try top.child(step) : top
      let point = try key.publicKey()
      note(point.key == stated.key && point.chainCode == stated.chainCode)
    } catch .crypto(let error) {
      throw error
    } catch {}
  }

  /// Whether the first address matches the extended keys; nil if unknown.
  private func leadsToAddress() -> Bool? {
    guard let text = wallet.descriptors.first, let network = BitcoinNetwork.named(wallet.chainID),
      let stated = PackedText.text(wallet.address), !stated.isEmpty,
      let descriptor = try? Descriptor(parsing: text),
      let derived = try? descriptor.address(at: 0, network: network)
    else { return nil }
    return derived == stated
  }
}

/// Seed phrases of Electrum since version 2.0.
private enum ElectrumSeed {
  enum Kind {
    case standard
    case segwit
  }

  /// Returns the type by the phrase's checksum; nil for other phrases, and for those that need normalisation.
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

  /// Returns the 64-byte seed for the extended keys, without additional words.
  static func seed(_ words: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    do throws(CryptoError) {
      let salt = try SecretBytes(copying: Array("electrum".utf8).span)
      return try PBKDF2.derive(from: words, salt: salt, iterations: 2048, count: 64, hash: .sha512)
    } catch {
      throw .crypto(error)
    }
  }
}
