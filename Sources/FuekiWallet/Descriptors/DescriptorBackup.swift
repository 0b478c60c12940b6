internal import FuekiArchive
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
    var reader = ByteReader(bytes)
    do {
      guard try reader.bytes(Self.magic.count) == Self.magic else { throw Problem.malformed }
      version = try reader.u8()
      guard version <= Self.newestVersion else { throw Problem.unknown }
      var paths: [DerivationPath] = []
      for _ in 0..<(try reader.u8()) {
        var steps: [DerivationStep] = []
        for _ in 0..<(try reader.u8()) {
          steps.append(DerivationStep(number: UInt32(truncatingIfNeeded: try reader.bigEndian(4))))
        }
        paths.append(DerivationPath(steps))
      }
      self.paths = paths
      var secrets: [[UInt8]] = []
      for _ in 0..<(try reader.u8()) { secrets.append(try reader.bytes(32)) }
      guard !secrets.isEmpty else { throw Problem.malformed }
      individualSecrets = secrets
      guard try reader.u8() == Self.gcm else { throw Problem.unknown }
      nonce = try reader.bytes(Self.nonceByteCount)
      // The draft lets later versions put more behind the end.
      ciphertext = try reader.counted()
      guard ciphertext.count >= AESCipher.gcmTagByteCount else { throw Problem.malformed }
    } catch let problem as Problem {
      throw problem
    } catch { throw .malformed }
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
