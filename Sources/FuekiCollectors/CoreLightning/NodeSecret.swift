package import FuekiCrypto
internal import FuekiWallet

/// The root secret of a Core Lightning node, in the three forms of `hsm_secret`.
///
/// These are 32 bytes; the same encrypted with a passphrase, 73 bytes; or, since version 25.12, 32 bytes that
/// verify a passphrase (zeros for none) and the words of a BIP-39 phrase.
package struct NodeSecret: ~Copyable {
  /// The forms.
  package enum Form: Equatable, Sendable {
    case plain
    case encrypted
    case words
    case wordsWithPassphrase
  }

  /// Why a secret could not be read.
  package enum Refusal: Error, Equatable {
    case needsPassphrase
    case wrongPassphrase
  }

  static let byteCountLimit = 1024
  private static let plainByteCount = 32
  private static let encryptedByteCount =
    SecretStream.headerByteCount + plainByteCount + SecretStream.overheadByteCount
  /// libsodium's "moderate" limits.
  private static let cost = Argon2id.Cost(memoryKiB: 256 << 10, passes: 3)

  /// The input of key derivation: 32 bytes, or the 64 bytes of a phrase's seed.
  private let secret: SecretBytes

  /// Returns the form of a file; nil for another kind of file.
  package static func form(of file: Span<UInt8>) -> Form? {
    switch file.count {
    case plainByteCount: return file.indices.allSatisfy { file[$0] == 0 } ? nil : .plain
    case encryptedByteCount where !hasWords(file): return .encrypted
    case plainByteCount + 1...byteCountLimit:
      guard hasWords(file) else { return nil }
      return (0..<plainByteCount).allSatisfy { file[$0] == 0 } ? .words : .wordsWithPassphrase
    default: return nil
    }
  }

  /// Whether the first 32 bytes are followed by lower-case letters and spaces, as in a phrase.
  private static func hasWords(_ file: Span<UInt8>) -> Bool {
    let text = file.extracting(plainByteCount...)
    var spaces = 0
    for index in text.indices {
      switch text[index] {
      case 0x61...0x7a: break
      case 0x20: spaces += 1
      case 0x0a where index == text.count - 1: break
      default: return false
      }
    }
    return spaces >= 11
  }

  /// Reads a file.
  ///
  /// - Throws: ``Refusal``, ``CryptoError``, and errors of asking.
  package init(
    reading file: borrowing SecretBytes, _ form: Form, password: () throws -> SharedSecret?
  ) throws {
    switch form {
    case .plain: secret = try file.copy(0..<Self.plainByteCount)
    case .encrypted:
      guard let typed = try password() else { throw Refusal.needsPassphrase }
      let salt = Array("c-lightning".utf8) + [0, 0, 0, 0, 0]
      let key = try Argon2id.derive(from: typed.bytes, salt: salt, cost: Self.cost)
      do throws(CryptoError) {
        secret = try file.withBytes { (bytes) throws(CryptoError) in
          try SecretStream.open(bytes, key: key)
        }
      } catch .notAuthentic {
        throw Refusal.wrongPassphrase
      }
    case .words:
      secret = try SeedPhrase.seed(words: try Self.words(file), passphrase: try SecretBytes(count: 0))
    case .wordsWithPassphrase:
      guard let typed = try password() else { throw Refusal.needsPassphrase }
      let seed = try SeedPhrase.seed(words: try Self.words(file), passphrase: typed.bytes)
      let proof = seed.withBytes { SHA256.hash($0).bytes }
      let isRight = file.withBytes { ConstantTime.areEqual($0.extracting(0..<32), proof.span) }
      guard isRight else { throw Refusal.wrongPassphrase }
      secret = seed
    }
  }

  private static func words(_ file: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let hasLineEnd = file.withBytes { $0[$0.count - 1] == 0x0a }
    return try file.copy(plainByteCount..<file.count - (hasLineEnd ? 1 : 0))
  }

  /// The node's public key, compressed.
  func nodeID() throws(CryptoError) -> [UInt8] {
    // Another salt is needed in the extremely rare case of an invalid key.
    for salt: UInt8 in 0..<4 {
      let code = try HKDF.extract(salt: [salt, 0, 0, 0], ikm: secret)
      let key = try HKDF.expand(prk: code, info: Array("nodeid".utf8), count: 32)
      guard CurveScalar.isKey(key, on: .secp256k1) else { continue }
      return try CurvePoint.multiplyBase(key, on: .secp256k1)
    }
    throw .invalidKey
  }

  /// Whether the secret opens the node's `emergency.recover`.
  package func opens(recovery file: Span<UInt8>) throws(CryptoError) -> Bool {
    let derived = try HKDF.expand(
      prk: try HKDF.extract(salt: [], ikm: secret), info: Array("derived secrets".utf8), count: 32)
    let key = try HKDF.expand(
      prk: try HKDF.extract(salt: [], ikm: derived), info: Array("scb secret".utf8), count: 32)
    do throws(CryptoError) {
      return try SecretStream.open(file, key: key).count > 0
    } catch .notAuthentic {
      return false
    }
  }
}
