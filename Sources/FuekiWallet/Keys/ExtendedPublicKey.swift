public import FuekiCrypto

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

/// An extended key's prefix, which states its networks and its address type.
///
/// See BIP-32 and SLIP-132.
public struct ExtendedKeyVersion: Hashable, Sendable {
  /// The address type of a version.
  enum Script: Sendable {
    /// Unspecified, as for `xpub` and `tpub`.
    case any
    /// P2WPKH.
    case segwit
    /// P2WPKH in P2SH.
    case nestedSegwit
    /// A key of a P2WSH multisig.
    case multisig
    /// A key of a P2WSH multisig nested in P2SH.
    case nestedMultisig
  }

  /// The four bytes before a public key, as a big-endian number.
  public let publicPrefix: UInt32
  /// The four bytes before a private key.
  let privatePrefix: UInt32
  /// The key's first four characters.
  package let name: String
  /// Whether it is for test networks.
  let isTest: Bool
  /// The address type.
  let script: Script

  /// `xpub`, for any script on the main network.
  public static let main = ExtendedKeyVersion(
    publicPrefix: 0x0488_b21e, privatePrefix: 0x0488_ade4, name: "xpub", isTest: false, script: .any)
  /// `tpub`, for any script on test networks.
  package static let test = ExtendedKeyVersion(
    publicPrefix: 0x0435_87cf, privatePrefix: 0x0435_8394, name: "tpub", isTest: true, script: .any)

  /// All known versions.
  package static let all = [
    main, test,
    ExtendedKeyVersion(
      publicPrefix: 0x049d_7cb2, privatePrefix: 0x049d_7878, name: "ypub", isTest: false,
      script: .nestedSegwit),
    ExtendedKeyVersion(
      publicPrefix: 0x044a_5262, privatePrefix: 0x044a_4e28, name: "upub", isTest: true,
      script: .nestedSegwit),
    ExtendedKeyVersion(
      publicPrefix: 0x04b2_4746, privatePrefix: 0x04b2_430c, name: "zpub", isTest: false, script: .segwit),
    ExtendedKeyVersion(
      publicPrefix: 0x045f_1cf6, privatePrefix: 0x045f_18bc, name: "vpub", isTest: true, script: .segwit),
    ExtendedKeyVersion(
      publicPrefix: 0x0295_b43f, privatePrefix: 0x0295_b005, name: "Ypub", isTest: false,
      script: .nestedMultisig),
    ExtendedKeyVersion(
      publicPrefix: 0x0242_89ef, privatePrefix: 0x0242_85b5, name: "Upub", isTest: true,
      script: .nestedMultisig),
    ExtendedKeyVersion(
      publicPrefix: 0x02aa_7ed3, privatePrefix: 0x02aa_7a99, name: "Zpub", isTest: false, script: .multisig),
    ExtendedKeyVersion(
      publicPrefix: 0x0257_5483, privatePrefix: 0x0257_5048, name: "Vpub", isTest: true, script: .multisig),
  ]

  /// `xpub` or `tpub`, as used in descriptors.
  public var standard: ExtendedKeyVersion { isTest ? .test : .main }
}

extension BitcoinNetwork {
  /// Whether this is a test network, whose extended keys start with `tpub`.
  var isTest: Bool { keyHashVersion == 111 }
}

/// Why an extended key is invalid, or a child cannot be derived.
public enum ExtendedKeyError: Error, Equatable, Sendable {
  /// The text is not Base58Check, or has another length.
  case notAKey
  /// A character is wrong.
  case wrongChecksum
  /// Its prefix is unknown.
  case unknownVersion
  /// It is private where a public key is required.
  case privateKey
  /// It states that it is the root key but also names a parent.
  case invalidDepth
  /// It does not hold a valid key of the curve.
  case invalidKey
  /// The child needs the private key.
  case hardenedStep
  /// The child with this number does not exist.
  case noSuchChild
  /// A path has at most 255 steps.
  case tooDeep
  /// A seed has 16 to 64 bytes.
  case seedLength
  /// The system's cryptographic library failed.
  case crypto(CryptoError)
}
