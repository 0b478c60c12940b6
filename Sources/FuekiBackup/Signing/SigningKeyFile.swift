public import FuekiArchive
public import FuekiCrypto

/// The file that keeps the key that signs archives, four lines of text.
///
///     fueki-signing-key-1
///     fueki-signer PUBLIC COMMENT
///     kdf argon2id SALT MEMORY_KIB PASSES
///     seed NONCE‖CIPHERTEXT‖TAG
///
/// All but the numbers is hex. The seed is sealed with XChaCha20-Poly1305 under the key that Argon2id derives from the
/// passphrase, and bound to the three lines above it. Without a passphrase the third line is `kdf none`, and the
/// fourth has the bare seed.
public struct SigningKeyFile: Sendable {
  /// The signer that the key belongs to.
  public let signer: Signer
  private let derivation: Derivation?
  private let head: [UInt8]
  /// The sealed seed, or the seed.
  private let body: SharedSecret

  private struct Derivation {
    let salt: [UInt8]
    let cost: Argon2id.Cost
  }

  private static let title = "fueki-signing-key-1"
  private static let seedWord = [UInt8]("seed ".utf8)
  private static let newline = UInt8(ascii: "\n")
  /// The longest file there is.
  public static let byteLimit = 4096

  /// Whether a passphrase is needed.
  public var isSealed: Bool { derivation != nil }

  /// Reads a file's bytes, which may hold the bare seed.
  ///
  /// - Throws: ``SigningKeyError/malformed``, ``SigningKeyError/newer(_:)``, ``SigningKeyError/overLimit`` or
  ///   ``SigningKeyError/crypto(_:)``.
  public init(_ file: borrowing SecretBytes) throws(SigningKeyError) {
    let ends = file.withBytes { bytes in bytes.indices.filter { bytes[$0] == Self.newline } }
    guard ends.count == 4, ends[3] == file.count - 1 else { throw .malformed }
    head = file.withBytes { bytes in (0...ends[2]).map { bytes[$0] } }
    // By bytes: a carriage return and a newline would be one character, and no end of a line.
    let lines = head.split(separator: Self.newline, omittingEmptySubsequences: false)
      .compactMap { String(validating: $0, as: UTF8.self) }
    guard lines.count == 4 else { throw .malformed }
    guard lines[0] == Self.title else {
      let version = lines[0].dropFirst(Self.title.count - 1)
      guard lines[0].hasPrefix(Self.title.dropLast()), UInt16(version) != nil else { throw .malformed }
      throw .newer(lines[0])
    }
    guard let signer = Signer(lines[1]), signer.line == lines[1] else { throw .malformed }
    self.signer = signer
    derivation = try Self.derivation(lines[2])
    body = try Self.decoded(file, (ends[2] + 1)..<ends[3])
    guard body.bytes.count == (derivation == nil ? 32 : 72) else { throw .malformed }
  }

  private static func derivation(_ line: String) throws(SigningKeyError) -> Derivation? {
    guard line != "kdf none" else { return nil }
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 5, words[0] == "kdf", words[1] == "argon2id", let salt = Hex.decode(words[2]),
      salt.count == Argon2id.saltByteCount, let memory = UInt32(words[3]), let passes = UInt32(words[4])
    else { throw .malformed }
    guard (64 << 10...1 << 20).contains(memory), (2...16).contains(passes) else { throw .overLimit }
    return Derivation(salt: salt, cost: Argon2id.Cost(memoryKiB: memory, passes: passes))
  }

  /// The bytes behind the last line's word.
  private static func decoded(
    _ file: borrowing SecretBytes, _ line: Range<Int>
  ) throws(SigningKeyError) -> SharedSecret {
    let digits = line.count - seedWord.count
    let hasWord = file.withBytes { bytes in
      digits > 0 && seedWord.indices.allSatisfy { bytes[line.lowerBound + $0] == seedWord[$0] }
    }
    guard hasWord, digits.isMultiple(of: 2) else { throw .malformed }
    var decoded: SecretBytes
    do {
      decoded = try SecretBytes(count: digits / 2)
    } catch {
      throw .crypto(error)
    }
    let start = line.lowerBound + seedWord.count
    let isHex = file.withBytes { bytes in
      decoded.withMutableBytes { output in
        for index in 0..<digits / 2 {
          guard let high = Self.value(bytes[start + 2 * index]),
            let low = Self.value(bytes[start + 2 * index + 1])
          else { return false }
          output[index] = high << 4 | low
        }
        return true
      }
    }
    guard isHex else { throw .malformed }
    return SharedSecret(decoded)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Returns the key.
  ///
  /// - Parameter passphrase: nil without one; ignored if the key needs none.
  /// - Returns: the signing key.
  /// - Throws: ``SigningKeyError``, of which ``SigningKeyError/wrongPassphrase`` may also mean a changed file.
  public func key(passphrase: SharedSecret?) throws(SigningKeyError) -> SigningKey {
    do {
      let key = try SigningKey(seed: try seed(passphrase))
      guard key.publicKey == signer.publicKey else { throw SigningKeyError.anotherKey }
      return key
    } catch let error as SigningKeyError {
      throw error
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .malformed
    }
  }

  private func seed(_ passphrase: SharedSecret?) throws -> SharedSecret {
    guard let derivation else { return body }
    guard let passphrase else { throw SigningKeyError.needsPassphrase }
    let key = try Argon2id.derive(from: passphrase.bytes, salt: derivation.salt, cost: derivation.cost)
    let sealed = body.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    let nonce = Array(sealed[..<XChaCha20Poly1305.nonceByteCount])
    let ciphertext = Array(sealed[XChaCha20Poly1305.nonceByteCount...])
    do {
      return SharedSecret(
        try XChaCha20Poly1305.openSecret(ciphertext.span, key: key, nonce: nonce, additionalData: head))
    } catch CryptoError.notAuthentic {
      throw SigningKeyError.wrongPassphrase
    }
  }

  /// Creates a new key's file.
  ///
  /// - Parameters:
  ///   - seed: 32 random bytes.
  ///   - comment: the owner's comment.
  ///   - passphrase: seals the key; nil leaves it unencrypted.
  ///   - cost: of one guess at the passphrase.
  /// - Returns: the file's bytes, and the signer.
  /// - Throws: ``CryptoError`` if memory cannot be allocated.
  public static func make(
    seed: SharedSecret, comment: String, passphrase: SharedSecret?, cost: Argon2id.Cost
  ) throws(CryptoError) -> (file: SharedSecret, signer: Signer) {
    let signer = Signer(publicKey: try Ed25519.publicKey(seed: seed.bytes), comment: comment)
    let salt = RandomBytes.bytes(Argon2id.saltByteCount)
    let derivation =
      passphrase == nil ? "none" : "argon2id \(Hex.encode(salt)) \(cost.memoryKiB) \(cost.passes)"
    let head = [UInt8]("\(title)\n\(signer.line)\nkdf \(derivation)\n".utf8)
    guard let passphrase else { return (try written(head, seed.bytes), signer) }
    let key = try Argon2id.derive(from: passphrase.bytes, salt: salt, cost: cost)
    let nonce = RandomBytes.bytes(XChaCha20Poly1305.nonceByteCount)
    let sealed = try seed.bytes.withBytes { bytes throws(CryptoError) in
      try XChaCha20Poly1305.seal(bytes, key: key, nonce: nonce, additionalData: head)
    }
    let body = nonce + sealed
    let secret = try SecretBytes(copying: body.span)
    return (try written(head, secret), signer)
  }

  /// The lines, the last one written digit by digit: a seed is never a String.
  private static func written(
    _ head: [UInt8], _ body: borrowing SecretBytes
  ) throws(CryptoError) -> SharedSecret {
    let digits = [UInt8]("0123456789abcdef".utf8)
    let start = head + seedWord
    var file = try SecretBytes(count: start.count + 2 * body.count + 1)
    body.withBytes { bytes in
      file.withMutableBytes { output in
        output.write(start.span, at: 0)
        for index in bytes.indices {
          output[start.count + 2 * index] = digits[Int(bytes[index] >> 4)]
          output[start.count + 2 * index + 1] = digits[Int(bytes[index] & 15)]
        }
        output[output.count - 1] = newline
      }
    }
    return SharedSecret(file)
  }
}

/// An error in reading a signing key's file.
public enum SigningKeyError: Error, Equatable, Sendable {
  /// It is no such file, or not written as one is.
  case malformed
  /// A later version wrote it.
  case newer(String)
  /// Its key derivation costs more, or less, than an archive's may.
  case overLimit
  /// It is sealed, and no passphrase was given.
  case needsPassphrase
  /// The passphrase is wrong, or the file was changed: the cryptography cannot tell.
  case wrongPassphrase
  /// Its seed is not that of its public key.
  case anotherKey
  /// Memory cannot be allocated.
  case crypto(CryptoError)
}
