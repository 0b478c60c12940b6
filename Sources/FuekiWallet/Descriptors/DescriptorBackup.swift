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
  package let paths: [DerivationPath]
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

extension DescriptorBackup {
  /// Encrypts content to public keys.
  ///
  /// - Parameters:
  ///   - plaintext: the bytes to encrypt.
  ///   - content: the type of the plaintext.
  ///   - keys: compressed public keys in any order; duplicates are ignored.
  ///   - paths: the keys' derivation paths, as a hint to their holders.
  ///   - nonce: 12 bytes never used with these keys; random by default, fixed in tests.
  /// - Returns: the file's bytes.
  /// - Throws: ``Problem/keys``, or errors of the system's cryptographic library.
  public static func sealed(
    _ plaintext: [UInt8], _ content: Content, to keys: [[UInt8]], paths: [DerivationPath] = [],
    nonce: [UInt8]? = nil
  ) throws -> [UInt8] {
    let keys = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
    guard 1...255 ~= keys.count, keys.allSatisfy({ CurvePoint.isValid($0, on: .secp256k1) }) else {
      throw Problem.keys
    }
    let spelled = Set(paths.filter { !$0.steps.isEmpty }.map(bytes)).sorted {
      $0.lexicographicallyPrecedes($1)
    }
    guard spelled.count <= 255, paths.allSatisfy({ $0.steps.count <= 255 }) else { throw Problem.keys }
    let key = SHA256.hash(keyMark, keys.flatMap(\.self)).bytes
    let secrets = keys.map { point in
      zip(key, SHA256.hash(secretMark, point).bytes).map { $0 ^ $1 }
    }.sorted { $0.lexicographicallyPrecedes($1) }
    let nonce = try nonce ?? SecretBytes.random(count: nonceByteCount).withBytes { $0.copied() }
    let sealed = try AESCipher.sealGCM(
      (try Self.head(of: content) + plaintext).span, key: try SecretBytes(copying: key.span), nonce: nonce)
    var bytes =
      magic + [newestVersion, UInt8(spelled.count)] + spelled.flatMap { [UInt8($0.count / 4)] + $0 }
    bytes += [UInt8(secrets.count)] + secrets.flatMap(\.self) + [gcm] + nonce
    return bytes + length(sealed.count) + sealed
  }

  /// Returns the public keys in a text: one in hexadecimal, an extended one, or all keys of a descriptor.
  public static func keys(of text: String) -> [[UInt8]] {
    func point(_ text: String) -> [UInt8]? {
      if let extended = try? ExtendedPublicKey(parsing: text) { return extended.key }
      guard let bytes = Hex.decode(text), CurvePoint.isValid(bytes, on: .secp256k1) else { return nil }
      return bytes
    }
    if let one = point(text) { return [one] }
    let bytes = Array(text.utf8)
    return DescriptorOutline(bytes.span)?.keys.compactMap {
      point(String(decoding: bytes[$0.key], as: UTF8.self))
    }
      ?? []
  }

  /// Returns the stated derivation paths of a descriptor's keys.
  public static func paths(of text: String) -> [DerivationPath] {
    let bytes = Array(text.utf8)
    return DescriptorOutline(bytes.span)?.keys.compactMap { key in
      key.origin.flatMap { KeyOrigin(String(decoding: bytes[$0], as: UTF8.self))?.path }
    } ?? []
  }

  private static func bytes(_ path: DerivationPath) -> [UInt8] {
    path.steps.flatMap { step in (0..<4).map { UInt8(truncatingIfNeeded: step.number >> UInt32(24 - 8 * $0)) }
    }
  }

  private static func length(_ count: Int) -> [UInt8] {
    func bytes(_ width: Int) -> [UInt8] { (0..<width).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
    switch count {
    case ..<0xfd: return [UInt8(count)]
    case ...0xffff: return [0xfd] + bytes(2)
    case ...0xffff_ffff: return [0xfe] + bytes(4)
    default: return [0xff] + bytes(8)
    }
  }

  /// Encodes the content type that precedes the plaintext: a length and the bytes, two for a BIP's number.
  private static func head(of content: Content) throws(Problem) -> [UInt8] {
    switch content {
    case .unknown: return [0]
    case .descriptor: return [2, 0x01, 0x7c]
    case .labels: return [2, 0x01, 0x49]
    case .standard(let number): return [2, UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    case .proprietary(let mark):
      guard 3...255 ~= mark.count else { throw .malformed }
      return [UInt8(mark.count)] + mark
    }
  }

  static func split(_ bytes: [UInt8]) throws(Problem) -> (content: Content, plaintext: [UInt8]) {
    guard let count = bytes.first, Int(count) < bytes.count else { throw .malformed }
    let mark = Array(bytes[1...].prefix(Int(count)))
    let rest = Array(bytes.dropFirst(1 + Int(count)))
    switch mark {
    case []: return (.unknown, rest)
    case [0x01, 0x7c]: return (.descriptor, rest)
    case [0x01, 0x49]: return (.labels, rest)
    case _ where mark.count == 2: return (.standard(UInt16(mark[0]) << 8 | UInt16(mark[1])), rest)
    default: return (.proprietary(mark), rest)
    }
  }
}
