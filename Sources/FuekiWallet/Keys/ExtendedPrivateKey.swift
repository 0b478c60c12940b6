public import FuekiCrypto

/// A private key of secp256k1 and its chain code, from which its children are derived.
///
/// See BIP-32.
///
/// Key and chain code are in memory that is wiped. The chain code alone is not secret, but together with one
/// child's private key it reveals this key.
public struct ExtendedPrivateKey: ~Copyable, Sendable {
  /// The stated networks and address type.
  let version: ExtendedKeyVersion
  /// The number of steps below the root key.
  let depth: UInt8
  /// The fingerprint of the parent key; 0 for the root.
  let parentFingerprint: UInt32
  /// The last step of its path; the number 0 for the root.
  let step: DerivationStep
  /// The scalar, 32 bytes, big-endian.
  package let key: SecretBytes
  private let chainCode: SecretBytes

  private init(
    version: ExtendedKeyVersion, depth: UInt8, parentFingerprint: UInt32, step: DerivationStep,
    key: consuming SecretBytes, chainCode: consuming SecretBytes
  ) {
    self.version = version
    self.depth = depth
    self.parentFingerprint = parentFingerprint
    self.step = step
    self.key = key
    self.chainCode = chainCode
  }

  /// Derives the root key of a seed.
  ///
  /// - Throws: ``ExtendedKeyError/seedLength``, ``ExtendedKeyError/invalidKey`` for the extremely rare seed
  ///   without a key, or ``ExtendedKeyError/crypto(_:)``.
  public init(
    seed: borrowing SecretBytes, version: ExtendedKeyVersion = .main
  ) throws(ExtendedKeyError) {
    guard 16...64 ~= seed.count else { throw .seedLength }
    let code = try Self.code(ofSeed: seed)
    let key = try Self.part(0..<32, of: code)
    guard CurveScalar.isKey(key, on: .secp256k1) else { throw .invalidKey }
    let chainCode = try Self.part(32..<64, of: code)
    self.init(
      version: version, depth: 0, parentFingerprint: 0, step: DerivationStep(number: 0), key: key,
      chainCode: chainCode)
  }

  /// Parses an extended private key of any known version.
  ///
  /// - Throws: ``ExtendedKeyError``.
  public init(parsing text: borrowing SecretBytes) throws(ExtendedKeyError) {
    let payload = try SecretBase58Check.decode(text, byteCount: ExtendedPublicKey.byteCount)
    let head = payload.withBytes { bytes in (0...45).map { 13..<45 ~= $0 ? 0 : bytes[$0] } }
    let prefix = ExtendedPublicKey.number(head[0..<4])
    guard let version = ExtendedKeyVersion.all.first(where: { $0.privatePrefix == prefix }) else {
      throw .unknownVersion
    }
    let parent = ExtendedPublicKey.number(head[5..<9])
    let step = DerivationStep(number: ExtendedPublicKey.number(head[9..<13]))
    guard head[4] > 0 || parent == 0 && step.number == 0 else { throw .invalidDepth }
    let key = try Self.part(46..<78, of: payload)
    guard head[45] == 0, CurveScalar.isKey(key, on: .secp256k1) else { throw .invalidKey }
    let chainCode = try Self.part(13..<45, of: payload)
    self.init(
      version: version, depth: head[4], parentFingerprint: parent, step: step, key: key,
      chainCode: chainCode)
  }

  /// Combines a private key with its extended public key.
  ///
  /// - Throws: ``ExtendedKeyError/invalidKey`` if the keys do not match, or ``ExtendedKeyError/crypto(_:)``.
  public init(
    of publicKey: ExtendedPublicKey, key: borrowing SecretBytes
  ) throws(ExtendedKeyError) {
    guard key.count == 32, CurveScalar.isKey(key, on: .secp256k1) else { throw .invalidKey }
    let chainCode: SecretBytes
    do throws(CryptoError) {
      guard try CurvePoint.multiplyBase(key, on: .secp256k1) == publicKey.key else {
        throw CryptoError.invalidKey
      }
      chainCode = try SecretBytes(copying: publicKey.chainCode.span)
    } catch {
      throw error == .invalidKey ? .invalidKey : .crypto(error)
    }
    self.init(
      version: publicKey.version, depth: publicKey.depth, parentFingerprint: publicKey.parentFingerprint,
      step: publicKey.step, key: try Self.part(0..<32, of: key), chainCode: chainCode)
  }

  /// Computes the public key, which derives the descendants that have no hardened step.
  ///
  /// - Throws: ``ExtendedKeyError/crypto(_:)``.
  public func publicKey() throws(ExtendedKeyError) -> ExtendedPublicKey {
    let point: [UInt8]
    do throws(CryptoError) {
      point = try CurvePoint.multiplyBase(key, on: .secp256k1)
    } catch {
      throw .crypto(error)
    }
    return ExtendedPublicKey(
      version: version, depth: depth, parentFingerprint: parentFingerprint, step: step,
      chainCode: chainCode.withBytes { bytes in (0..<32).map { bytes[$0] } }, key: point)
  }

  /// Derives a child key.
  ///
  /// - Throws: ``ExtendedKeyError/noSuchChild`` for the extremely rare child that does not exist,
  ///   ``ExtendedKeyError/tooDeep`` or ``ExtendedKeyError/crypto(_:)``.
  public func child(_ step: DerivationStep) throws(ExtendedKeyError) -> ExtendedPrivateKey {
    guard depth < .max else { throw .tooDeep }
    let publicKey = try publicKey()
    let fingerprint = try publicKey.fingerprint()
    do throws(CryptoError) {
      let message = try message(for: step, publicKey: publicKey.key)
      let code = try message.withBytes { (message) throws(CryptoError) in
        try chainCode.withBytes { (chainCode) throws(CryptoError) in
          try HMACSHA512.secretCode(of: message, key: chainCode)
        }
      }
      let factor = try code.copy(0..<32)
      let childKey = try CurveScalar.add(key, factor, on: .secp256k1)
      guard CurveScalar.isKey(childKey, on: .secp256k1) else { throw CryptoError.invalidKey }
      return ExtendedPrivateKey(
        version: version, depth: depth + 1, parentFingerprint: fingerprint, step: step, key: childKey,
        chainCode: try code.copy(32..<64))
    } catch {
      throw error == .invalidKey ? .noSuchChild : .crypto(error)
    }
  }

  /// Derives a descendant at least one step below.
  ///
  /// - Throws: As ``child(_:)``; ``ExtendedKeyError/noSuchChild`` for a path without steps.
  public func descendant(_ path: DerivationPath) throws(ExtendedKeyError) -> ExtendedPrivateKey {
    guard let first = path.steps.first else { throw .noSuchChild }
    var key = try child(first)
    for step in path.steps.dropFirst() { key = try key.child(step) }
    return key
  }

  private static func part(
    _ range: Range<Int>, of secret: borrowing SecretBytes
  ) throws(ExtendedKeyError) -> SecretBytes {
    do throws(CryptoError) {
      return try secret.copy(range)
    } catch {
      throw .crypto(error)
    }
  }

  private static func code(ofSeed seed: borrowing SecretBytes) throws(ExtendedKeyError) -> SecretBytes {
    let label = Array("Bitcoin seed".utf8)
    do throws(CryptoError) {
      return try seed.withBytes { (seed) throws(CryptoError) in
        try HMACSHA512.secretCode(of: seed, key: label.span)
      }
    } catch {
      throw .crypto(error)
    }
  }

  /// Returns the input of a child's HMAC: the private key if hardened, else the public key; then the number.
  private func message(
    for step: DerivationStep, publicKey: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    let number = ExtendedPublicKey.bytes(step.number)
    var message = try SecretBytes(count: publicKey.count + number.count)
    message.withMutableBytes { message in
      if step.isHardened {
        key.withBytes { key in for index in key.indices { message[1 + index] = key[index] } }
      } else {
        for index in publicKey.indices { message[index] = publicKey[index] }
      }
      for index in number.indices { message[publicKey.count + index] = number[index] }
    }
    return message
  }
}

/// Derives the seed of a phrase of words.
///
/// See BIP-39.
public enum SeedPhrase {
  /// Derives the 64 bytes for ``ExtendedPrivateKey/init(seed:version:)``.
  ///
  /// - Parameters:
  ///   - words: the words, separated by single spaces, as UTF-8 in form NFKD. They are not checked: a wrong
  ///     seed is detected by its addresses.
  ///   - passphrase: the optional passphrase in form NFKD; empty for none.
  /// - Returns: the seed.
  /// - Throws: ``CryptoError``.
  public static func seed(
    words: borrowing SecretBytes, passphrase: borrowing SecretBytes
  ) throws(CryptoError) -> SecretBytes {
    let label = Array("mnemonic".utf8)
    var salt = try SecretBytes(count: label.count + passphrase.count)
    salt.withMutableBytes { salt in
      for index in label.indices { salt[index] = label[index] }
      passphrase.withBytes { passphrase in
        for index in passphrase.indices { salt[label.count + index] = passphrase[index] }
      }
    }
    return try PBKDF2.derive(from: words, salt: salt, iterations: 2048, count: 64, hash: .sha512)
  }
}
