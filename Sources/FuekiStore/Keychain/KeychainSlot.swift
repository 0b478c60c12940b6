internal import FuekiArchive
internal import FuekiCrypto

/// A keychain's slot: the file key wrapped for one secret.
struct KeychainSlot: Equatable, Sendable {
  enum Kind: UInt8, Sendable { case passphrase = 1, keyFile = 2 }

  let kind: Kind
  let salt: [UInt8]
  let memoryKiB: UInt32
  let passes: UInt32
  let commitment: [UInt8]
  let wrapped: [UInt8]

  /// Parses the slot at an offset; nil if it is invalid.
  init?(_ bytes: Span<UInt8>, at start: Int) {
    guard let kind = Kind(rawValue: bytes[start]) else { return nil }
    self.kind = kind
    salt = bytes.array(start + 1..<start + 17)
    memoryKiB = bytes.littleEndian(UInt32.self, at: start + 17)
    passes = bytes.littleEndian(UInt32.self, at: start + 21)
    commitment = bytes.array(start + 25..<start + 57)
    wrapped = bytes.array(start + 57..<start + KeychainLayout.slotBytes)
    if kind == .keyFile, memoryKiB != 0 || passes != 0 { return nil }
  }

  /// Wraps a file key for one secret.
  init(
    _ new: NewKeychainSlot, fileKey: borrowing SecretBytes, keychainID: [UInt8]
  ) throws(KeychainError) {
    salt = RandomBytes.bytes(16)
    let secret: KeychainSecret
    switch new {
    case .passphrase(let passphrase, let cost):
      kind = .passphrase
      (memoryKiB, passes) = (cost.memoryKiB, cost.passes)
      secret = .passphrase(passphrase)
    case .keyFile(let bytes):
      kind = .keyFile
      (memoryKiB, passes) = (0, 0)
      secret = .keyFile(bytes)
    }
    do {
      let parameters = Self.parameters(kind, salt, memoryKiB, passes)
      let okm = try Self.okm(secret, parameters, salt, memoryKiB, passes, keychainID)
      let wrappingKey = try okm.copy(0..<32)
      commitment = okm.withBytes { $0.array(32..<64) }
      wrapped = try fileKey.withBytes { (key) throws(CryptoError) in
        try XChaCha20Poly1305.seal(
          key, key: wrappingKey, nonce: Self.zeroNonce, additionalData: [])
      }
    } catch {
      throw .crypto(error)
    }
  }

  /// The encoded slot.
  var bytes: [UInt8] { Self.parameters(kind, salt, memoryKiB, passes) + commitment + wrapped }

  /// Whether the slot's cost is within limits.
  func isWithin(_ limits: KeychainLimits) -> Bool {
    kind == .keyFile || limits.memoryKiB.contains(memoryKiB) && limits.passes.contains(passes)
  }

  /// The cost of a derivation, in KiB × passes.
  var work: UInt64 { UInt64(memoryKiB) * UInt64(passes) }

  /// Whether a secret has the slot's type.
  func takes(_ secret: KeychainSecret) -> Bool {
    switch secret {
    case .passphrase: kind == .passphrase
    case .keyFile: kind == .keyFile
    }
  }

  /// Unwraps the file key, or returns nil if the secret is wrong.
  func open(_ secret: KeychainSecret, keychainID: [UInt8]) throws(CryptoError) -> SecretBytes? {
    let parameters = Self.parameters(kind, salt, memoryKiB, passes)
    let okm = try Self.okm(secret, parameters, salt, memoryKiB, passes, keychainID)
    let commits = okm.withBytes { ConstantTime.areEqual($0.extracting(32..<64), commitment.span) }
    guard commits else { return nil }
    return try XChaCha20Poly1305.openSecret(
      wrapped.span, key: try okm.copy(0..<32), nonce: Self.zeroNonce, additionalData: [])
  }

  private static let zeroNonce = [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceByteCount)

  private static func parameters(_ kind: Kind, _ salt: [UInt8], _ memoryKiB: UInt32, _ passes: UInt32)
    -> [UInt8]
  {
    var bytes = [kind.rawValue] + salt
    bytes.append(littleEndian: memoryKiB)
    bytes.append(littleEndian: passes)
    return bytes
  }

  private static func okm(
    _ secret: KeychainSecret, _ parameters: [UInt8], _ salt: [UInt8], _ memoryKiB: UInt32, _ passes: UInt32,
    _ keychainID: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    let info = KeychainLayout.slotLabel + parameters
    switch secret {
    case .keyFile(let bytes):
      guard KeychainLayout.keyFileBytes.contains(bytes.bytes.count) else { throw .invalidLength }
      let key = try HKDF.extract(salt: keychainID, ikm: bytes.bytes)
      return try HKDF.expand(prk: key, info: info, count: 64)
    case .passphrase(let passphrase):
      let cost = Argon2id.Cost(memoryKiB: memoryKiB, passes: passes)
      let derived = try Argon2id.derive(from: passphrase.bytes, salt: salt, cost: cost)
      let key = try HKDF.extract(salt: keychainID, ikm: derived)
      return try HKDF.expand(prk: key, info: info, count: 64)
    }
  }
}
