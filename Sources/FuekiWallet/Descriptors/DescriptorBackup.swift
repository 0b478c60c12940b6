internal import FuekiArchive
internal import FuekiCrypto

/// A descriptor or related data, encrypted to the descriptor's public keys: BIP-138, in `.bed` files.
///
///     "BEB" ‖ version (1) ‖ paths: count, each a count and big-endian numbers ‖ secrets: count, 32 bytes each
///     ‖ encryption (1 is AES-256-GCM) ‖ nonce (12) ‖ length of what follows ‖ ciphertext and tag
///
/// The encryption key is a digest of all public keys. Each secret is the key combined with a digest of one public
/// key, so anyone with one of the public keys, such as a signer, can decrypt the file.
public struct DescriptorBackup: Sendable {
  /// The type of the encrypted content.
  public enum Content: Hashable, Sendable {
    /// Not specified.
    case unknown
    /// An output descriptor, BIP-380.
    case descriptor
    /// Labels, BIP-329.
    case labels
    /// Content defined by another BIP.
    case standard(UInt16)
    /// Content that only its own program can read.
    case proprietary([UInt8])
  }

  /// Why bytes are not a readable backup.
  public enum Problem: Error, Equatable, Sendable {
    /// The prefix is wrong, or the bytes end too early or too late.
    case malformed
    /// The version or the encryption is unknown.
    case unknown
    /// The file was not encrypted to the given key.
    case otherKey
    /// There are no keys to encrypt to, or more than the format allows.
    case keys
  }

  static let magic = Array("BEB".utf8)
  static let newestVersion: UInt8 = 1
  static let gcm: UInt8 = 1
  static let nonceByteCount = AESCipher.gcmNonceByteCount
  static let secretMark = Array("BEB_BACKUP_INDIVIDUAL_SECRET".utf8)
  static let keyMark = Array("BEB_BACKUP_DECRYPTION_SECRET".utf8)

  /// The keys' derivation paths, if the file states them.
  public let paths: [DerivationPath]
  /// One masked copy of the encryption key for each public key.
  public let individualSecrets: [[UInt8]]
  private let nonce: [UInt8]
  private let ciphertext: [UInt8]
  private let version: UInt8

  /// Whether a file's first bytes are those of a backup.
  public static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.count > 4 && magic.indices.allSatisfy { beginning[$0] == magic[$0] } && beginning[3] < 0x20
  }

  /// Parses a complete file.
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
      // The draft lets later versions append more bytes.
      ciphertext = try reader.counted()
      guard ciphertext.count >= AESCipher.gcmTagByteCount else { throw Problem.malformed }
    } catch let problem as Problem {
      throw problem
    } catch { throw .malformed }
  }

  /// Decrypts the file with the compressed public key of one recipient.
  public func open(with key: [UInt8]) throws -> (content: Content, plaintext: [UInt8]) {
    let mask = SHA256.hash(Self.secretMark, key).bytes
    for secret in individualSecrets {
      if let plain = try plaintext(under: zip(secret, mask).map { $0 ^ $1 }) { return try Self.split(plain) }
    }
    throw Problem.otherKey
  }

  /// Nil if the key is wrong.
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
