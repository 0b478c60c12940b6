internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

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
