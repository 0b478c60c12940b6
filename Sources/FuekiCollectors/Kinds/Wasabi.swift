internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Wallets of Wasabi.
  static let wasabi = CollectorKind(
    WasabiCollector.kind, "wallets of Wasabi: its JSON files", reach: .tree, guide: .wasabi,
    programs: [
      WalletProgram(
        id: "wasabi", title: "Wasabi Wallet", folders: [".walletwasabi"],
        places: [
          .folder(
            ".walletwasabi/client/Wallets", of: ["*.json", "*/*.json"], kind: WasabiCollector.kind, .always,
            [.laterKeys])
        ])
    ],
    fileNames: WalletNames(possible: ["*.json"]), what: "wallet of Wasabi",
    recognises: { $0.contains("\"EncryptedSecret\"") && $0.contains("\"ExtPubKey\"") },
    look: WasabiCollector.look)
}

/// Wallets of Wasabi, byte for byte.
///
/// With its password, a wallet's key is compared with its public keys.
enum WasabiCollector {
  static let kind = "wasabi"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let content = try found.bytes()
    guard
      let document = try? GuardedDocument(
        content.copy(content.markByteCount..<content.count), limit: content.count),
      let wallet = WasabiWallet(document.root)
    else { return .other(reason: "it is no wallet of Wasabi") }
    let name = FileName.text(found.lastName)
    let (result, isInClear) = try wallet.judged(asked.password)
    let described = wallet.record(name: name)
    var kept = Kept(
      format: "wasabi-wallet", isSecret: isInClear,
      asked.finding(name, result, detail: PackedText.text(described.address) ?? ""))
    (kept.program, kept.wallets) = (kind, [described])
    return .wallet(kept)
  }
}

extension SecretBytes {
  /// The length of the mark of UTF-8 with which Wasabi begins a file.
  fileprivate var markByteCount: Int {
    withBytes { $0.count >= 3 && $0[0] == 0xEF && $0[1] == 0xBB && $0[2] == 0xBF ? 3 : 0 }
  }
}

/// The contents of a Wasabi wallet's file: an encrypted root key, and the public keys of its accounts.
struct WasabiWallet {
  private struct Account {
    let key: ExtendedPublicKey
    let path: DerivationPath
    let function: String
  }

  private let accounts: [Account]
  /// Nil if a hardware wallet has the key.
  private let secret: BIP38Secret?
  private let chainCode: [UInt8]
  private let fingerprint: UInt32?
  private let network: BitcoinNetwork

  /// Reads a complete file; nil for anything else.
  init?(_ root: GuardedValue) {
    func account(_ name: String, _ pathName: String, _ path: String, _ function: String) -> Account?? {
      guard let text = root.member(name)?.string else { return .some(nil) }
      guard let key = try? ExtendedPublicKey(parsing: text),
        let path = DerivationPath(root.member(pathName)?.string ?? path)
      else { return nil }
      return Account(key: key, path: path, function: function)
    }
    // Wasabi before 2.0.3 had no Taproot.
    guard let segwit = account("ExtPubKey", "AccountKeyPath", "84'/0'/0'", "wpkh"), let segwit,
      let taproot = account("TaprootExtPubKey", "TaprootAccountKeyPath", "86'/0'/0'", "tr")
    else { return nil }
    accounts = [segwit] + (taproot.map { [$0] } ?? [])
    fingerprint = root.member("MasterFingerprint")?.string.flatMap { UInt32($0, radix: 16) }
    let named = root.member("BlockchainState")?.member("Network")?.string ?? "Main"
    network = BitcoinNetwork.named(named.lowercased()) ?? BitcoinNetwork.all[0]
    guard let text = try? root.member("EncryptedSecret")?.secret() else {
      (secret, chainCode) = (nil, [])
      return
    }
    guard let secret = BIP38Secret(text.bytes),
      let code = root.member("ChainCode")?.string.flatMap({ Data(base64Encoded: $0) }), code.count == 32
    else { return nil }
    (self.secret, chainCode) = (secret, Array(code))
  }

  /// Assesses the wallet.
  ///
  /// Wasabi accepts an empty password. Anyone who has such a file has the key.
  ///
  /// - Returns: the result, and whether the file holds its key in the clear.
  func judged(_ password: AskedPassword) throws -> (WalletFinding.Result, isInClear: Bool) {
    guard let secret else { return (.publicPart(), false) }
    let typed = try password.read()
    if let typed, let key = try secret.open(typed.bytes, work: password.work) {
      return (try proved(key), typed.bytes.count == 0)
    }
    if let key = try secret.open(SecretBytes(count: 0), work: password.work) {
      return (try proved(key), true)
    }
    return (.notProved(typed == nil ? .needsPassword : .wrongPassword), false)
  }

  private func proved(_ key: borrowing SecretBytes) throws -> WalletFinding.Result {
    let point = try CurvePoint.multiplyBase(key, on: .secp256k1)
    // Depth, parent and number of a root key are 0.
    let root = try ExtendedPublicKey(
      parsing: Base58Check.encode(
        [0x04, 0x88, 0xB2, 0x1E] + [UInt8](repeating: 0, count: 9) + chainCode + point))
    let master = try ExtendedPrivateKey(of: root, key: key)
    let isRight = try accounts.allSatisfy { account in
      let derived = try master.descendant(account.path).publicKey()
      return derived.key == account.key.key && derived.chainCode == account.key.chainCode
    }
    return isRight ? .proved(.publicKey) : .faulty(.secretDiffers)
  }

  /// Returns the wallet's public part.
  func record(name: String) -> Wallet {
    var wallet = Wallet()
    wallet.id = ForeignNames.packed("wasabi wallet", accounts.map(\.key.text).joined(separator: " "))
    wallet.name = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    wallet.kind = (secret == nil ? WalletKind.watchOnly : .hot).rawValue
    wallet.chainFamily = ChainFamily.bitcoin.name
    (wallet.chainID, wallet.network) = (network.name, network.name)
    wallet.descriptors = accounts.flatMap { account in
      let origin = fingerprint.map { "[\(KeyOrigin(fingerprint: $0, path: account.path))]" } ?? ""
      return (0...1).map { "\(account.function)(\(origin)\(account.key.text)/\($0)/*)" }
    }
    let first = wallet.descriptors.first.flatMap { try? Descriptor(parsing: $0) }
    wallet.address = PackedText.pack(first.flatMap { try? $0.address(at: 0, network: network) } ?? "")
    return wallet
  }
}

/// A private key encrypted with a password, as in BIP-38, without multiplication of curve points.
struct BIP38Secret {
  /// The public key is compressed, and no point was multiplied.
  private static let beginning: [UInt8] = [0x01, 0x42, 0xE0]
  private static let cost = Scrypt.Cost(n: 1 << 14, r: 8, p: 8)

  private let payload: SharedSecret

  /// Parses its Base58Check; nil for other text.
  init?(_ text: borrowing SecretBytes) {
    guard let bytes = try? SecretBase58Check.decode(text, byteCount: 39) else { return nil }
    let isKnown = bytes.withBytes { bytes in
      Self.beginning.indices.allSatisfy { bytes[$0] == Self.beginning[$0] }
    }
    guard isKnown else { return nil }
    payload = SharedSecret(bytes)
  }

  /// Decrypts the key; nil if the password is wrong.
  ///
  /// - Throws: as ``WorkBudget/scrypt(from:salt:cost:count:)``.
  func open(_ password: borrowing SecretBytes, work: WorkBudget) throws -> SecretBytes? {
    let salt = payload.bytes.withBytes { bytes in (3..<7).map { bytes[$0] } }
    let derived = try work.scrypt(from: password, salt: salt, cost: Self.cost, count: 64)
    let mask = try derived.copy(0..<32)
    let sealingKey = try derived.copy(32..<64)
    let masked = try payload.bytes.withBytes { bytes in
      try AESCipher.decryptBlocks(bytes.extracting(7..<39), key: sealingKey)
    }
    let key = try SecretBytes(count: 32) { bytes in
      masked.withBytes { masked in
        mask.withBytes { mask in for index in 0..<32 { bytes[index] = masked[index] ^ mask[index] } }
      }
    }
    guard CurveScalar.isKey(key, on: .secp256k1) else { return nil }
    // The salt is the beginning of the address's hash, so it shows whether the password is right.
    let point = try CurvePoint.multiplyBase(key, on: .secp256k1)
    let address = Base58Check.encode([0] + (try Hash160.hash(point)))
    let digest = SHA256.hash(SHA256.hash(Array(address.utf8).span).bytes.span)
    guard digest.bytes.starts(with: salt) else { return nil }
    return key
  }
}
