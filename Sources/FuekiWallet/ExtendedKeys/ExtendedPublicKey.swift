internal import FuekiCrypto

/// A public key of secp256k1 and its chain code, from which its public children are derived.
///
/// See BIP-32.
public struct ExtendedPublicKey: Hashable, Sendable {
  /// The length of an encoded key, without its checksum.
  static let byteCount = 78

  /// The stated networks and address type.
  public let version: ExtendedKeyVersion
  /// The number of steps below the root key.
  public let depth: UInt8
  /// The fingerprint of the parent key; 0 for the root.
  let parentFingerprint: UInt32
  /// The last step of its path; the number 0 for the root.
  public let step: DerivationStep
  /// The chain code, 32 bytes.
  public let chainCode: [UInt8]
  /// The compressed point.
  public let key: [UInt8]

  init(
    version: ExtendedKeyVersion, depth: UInt8, parentFingerprint: UInt32, step: DerivationStep,
    chainCode: [UInt8], key: [UInt8]
  ) {
    self.version = version
    self.depth = depth
    self.parentFingerprint = parentFingerprint
    self.step = step
    self.chainCode = chainCode
    self.key = key
  }

  /// Parses an extended public key of any known version.
  ///
  /// - Throws: ``ExtendedKeyError``.
  public init(parsing text: String) throws(ExtendedKeyError) {
    let payload: [UInt8]
    do throws(AddressProblem) {
      payload = try Base58Check.decode(text)
    } catch {
      throw error == .wrongChecksum ? .wrongChecksum : .notAKey
    }
    guard payload.count == Self.byteCount else { throw .notAKey }
    let prefix = Self.number(payload[0..<4])
    guard let version = ExtendedKeyVersion.all.first(where: { $0.publicPrefix == prefix }) else {
      throw ExtendedKeyVersion.all.contains { $0.privatePrefix == prefix } ? .privateKey : .unknownVersion
    }
    self.init(
      version: version, depth: payload[4], parentFingerprint: Self.number(payload[5..<9]),
      step: DerivationStep(number: Self.number(payload[9..<13])), chainCode: Array(payload[13..<45]),
      key: Array(payload[45...]))
    guard depth > 0 || parentFingerprint == 0 && step.number == 0 else { throw .invalidDepth }
    guard CurvePoint.isValid(key, on: .secp256k1) else { throw .invalidKey }
  }

  /// The key in Base58Check.
  public var text: String { text(as: version) }

  /// Returns the key in Base58Check, with the prefix of another version.
  public func text(as version: ExtendedKeyVersion) -> String {
    var bytes = Self.bytes(version.publicPrefix)
    bytes.append(depth)
    bytes += Self.bytes(parentFingerprint) + Self.bytes(step.number) + chainCode + key
    return Base58Check.encode(bytes)
  }

  /// Returns the first four bytes of the key's hash, by which its children refer to it.
  ///
  /// - Throws: ``ExtendedKeyError/crypto(_:)``.
  public func fingerprint() throws(ExtendedKeyError) -> UInt32 {
    do throws(CryptoError) {
      return Self.number(try Hash160.hash(key).prefix(4))
    } catch {
      throw .crypto(error)
    }
  }

  /// Derives a child key.
  ///
  /// - Throws: ``ExtendedKeyError/hardenedStep`` for a child that needs the private key,
  ///   ``ExtendedKeyError/noSuchChild`` for the extremely rare child that does not exist, or
  ///   ``ExtendedKeyError/tooDeep``.
  public func child(_ step: DerivationStep) throws(ExtendedKeyError) -> ExtendedPublicKey {
    guard !step.isHardened else { throw .hardenedStep }
    guard depth < .max else { throw .tooDeep }
    let message = key + Self.bytes(step.number)
    let childKey: [UInt8]
    let childCode: [UInt8]
    do throws(CryptoError) {
      let code = try HMACSHA512.code(of: message.span, key: chainCode.span)
      childKey = try CurvePoint.tweakedSecp256k1(key, byBaseTimes: Array(code[..<32]))
      childCode = Array(code[32...])
    } catch {
      throw error == .invalidKey ? .noSuchChild : .crypto(error)
    }
    return ExtendedPublicKey(
      version: version, depth: depth + 1, parentFingerprint: try fingerprint(), step: step,
      chainCode: childCode, key: childKey)
  }

  /// Derives a descendant.
  ///
  /// - Throws: As ``child(_:)``.
  public func descendant(_ path: DerivationPath) throws(ExtendedKeyError) -> ExtendedPublicKey {
    var key = self
    for step in path.steps { key = try key.child(step) }
    return key
  }

  static func number(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  static func bytes(_ number: UInt32) -> [UInt8] {
    stride(from: UInt32(24), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
