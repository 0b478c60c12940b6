internal import FuekiCrypto

/// A descriptor, or what belongs to one, encrypted to the public keys in it: BIP-138, in files that end in `.bed`.
///
///     "BEB" ‖ version (1) ‖ paths: count, each a count and big-endian numbers ‖ secrets: count, 32 bytes each
///     ‖ encryption (1 is AES-256-GCM) ‖ nonce (12) ‖ length of what follows ‖ ciphertext and tag
///
/// The key is a digest of all public keys. Whoever has one of them finds it: each secret is the key, added to a digest of
/// one public key. So the file hides nothing from any of the signers.
public struct DescriptorBackup: Sendable {
  /// What is encrypted.
  public enum Content: Hashable, Sendable {
    /// Nothing says what it is.
    case unknown
    /// An output descriptor, BIP-380.
    case descriptor
    /// Labels, BIP-329.
    case labels
    /// What another BIP defines.
    case standard(UInt16)
    /// What only its own program reads.
    case proprietary([UInt8])
  }

  /// Why bytes are no such backup, or one that cannot be opened.
  public enum Problem: Error, Equatable, Sendable {
    /// They do not begin so, end too early, or go on behind the end.
    case malformed
    /// The version or the encryption is not known here.
    case unknown
    /// The key is none of those that it was encrypted to.
    case otherKey
    /// There are no keys to encrypt to, or more than the format has room for.
    case keys
  }

  static let magic = Array("BEB".utf8)
  static let newestVersion: UInt8 = 1
  static let gcm: UInt8 = 1
  static let nonceByteCount = AESCipher.gcmNonceByteCount
  static let secretMark = Array("BEB_BACKUP_INDIVIDUAL_SECRET".utf8)
  static let keyMark = Array("BEB_BACKUP_DECRYPTION_SECRET".utf8)

  /// Where the keys come from, as far as the file says.
  public let paths: [DerivationPath]
  /// The key's digests, one for each public key.
  public let individualSecrets: [[UInt8]]
  private let nonce: [UInt8]
  private let ciphertext: [UInt8]
  private let version: UInt8

  /// Whether a file begins as one does.
  public static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.count > 4 && magic.indices.allSatisfy { beginning[$0] == magic[$0] } && beginning[3] < 0x20
  }

  /// Reads a whole file.
  public init(_ bytes: [UInt8]) throws(Problem) {
    var rest = bytes[...]
    func take(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
      guard count <= rest.count else { throw .malformed }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    func byte() throws(Problem) -> UInt8 { try take(1).first ?? 0 }
    guard try take(3).elementsEqual(Self.magic) else { throw .malformed }
    version = try byte()
    guard version <= Self.newestVersion else { throw .unknown }
    var paths: [DerivationPath] = []
    for _ in 0..<(try byte()) {
      var steps: [DerivationStep] = []
      for _ in 0..<(try byte()) {
        steps.append(DerivationStep(number: try take(4).reduce(0) { $0 << 8 | UInt32($1) }))
      }
      paths.append(DerivationPath(steps))
    }
    self.paths = paths
    var secrets: [[UInt8]] = []
    for _ in 0..<(try byte()) { secrets.append(Array(try take(32))) }
    guard !secrets.isEmpty else { throw .malformed }
    individualSecrets = secrets
    guard try byte() == Self.gcm else { throw .unknown }
    nonce = Array(try take(Self.nonceByteCount))
    let first = try byte()
    let length: UInt64 =
      switch first {
      case 0xfd: try take(2).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      case 0xfe: try take(4).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      case 0xff: try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      default: UInt64(first)
      }
    guard UInt64(rest.count) >= length, length >= UInt64(AESCipher.gcmTagByteCount) else { throw .malformed }
    // The draft lets later versions put more behind the end.
    ciphertext = Array(rest.prefix(Int(length)))
  }

  /// Opens it with a compressed public key that it was encrypted to.
  public func open(with key: [UInt8]) throws -> (content: Content, plaintext: [UInt8]) {
    let mask = SHA256.hash(Self.secretMark, key).bytes
    for secret in individualSecrets {
      if let plain = try plaintext(under: zip(secret, mask).map { $0 ^ $1 }) { return try Self.split(plain) }
    }
    throw Problem.otherKey
  }

  /// Nil where the key is another.
  private func plaintext(under key: [UInt8]) throws(CryptoError) -> [UInt8]? {
    let key = try SecretBytes(copying: key.span)
    do throws(CryptoError) {
      return try AESCipher.openGCM(ciphertext.span, key: key, nonce: nonce).withBytes { $0.copied() }
    } catch {
      guard error == .notAuthentic else { throw error }
      return nil
    }
  }
}
