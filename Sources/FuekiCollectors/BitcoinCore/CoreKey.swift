internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A private key of a Bitcoin Core wallet, with its record's public key.
struct CoreKey {
  enum Stored {
    /// Unencrypted, and matching the public key.
    case clear(SharedSecret)
    /// Unencrypted, but for another public key or with a wrong digest.
    case wrong
    /// Encrypted with the wallet's master key.
    case encrypted([UInt8])
  }

  let publicKey: [UInt8]
  let stored: Stored

  /// Reads an unencrypted key: a length, the key as DER, and the digest of both keys.
  ///
  /// - Throws: ``CryptoError``.
  init(publicKey: [UInt8], clear record: borrowing SecretBytes) throws {
    self.publicKey = publicKey
    let key = try Self.scalar(publicKey, record)
    if let key, try Self.belongs(key.bytes, to: publicKey) {
      stored = .clear(key)
    } else {
      stored = .wrong
    }
  }

  /// Creates an encrypted key.
  init(publicKey: [UInt8], encrypted: [UInt8]) {
    self.publicKey = publicKey
    stored = .encrypted(encrypted)
  }

  /// Returns the private key; nil if the master key does not decrypt it, or it does not match the public key.
  func secret(_ masterKey: SharedSecret?) throws -> SharedSecret? {
    switch stored {
    case .clear(let key): return key
    case .wrong: return nil
    case .encrypted(let ciphertext):
      guard let masterKey else { return nil }
      let vector = Array(Self.twice(publicKey).prefix(AESCipher.blockByteCount))
      let plain: SecretBytes
      do throws(CryptoError) {
        plain = try AESCipher.decryptCBC(ciphertext.span, key: masterKey.bytes, vector: vector)
      } catch .notAuthentic {
        return nil
      }
      guard plain.count == Curve.scalarByteCount, try Self.belongs(plain, to: publicKey) else { return nil }
      return SharedSecret(plain)
    }
  }

  /// The public key in compressed form.
  var compressed: [UInt8] { Self.compressed(publicKey) }

  private static func compressed(_ point: [UInt8]) -> [UInt8] {
    point.count == 65 ? [2 | point[64] & 1] + point[1...32] : point
  }

  private static func belongs(_ key: borrowing SecretBytes, to publicKey: [UInt8]) throws -> Bool {
    do throws(CryptoError) {
      return try CurvePoint.multiplyBase(key, on: .secp256k1) == compressed(publicKey)
    } catch .invalidKey {
      return false
    }
  }

  private static func twice(_ bytes: [UInt8]) -> [UInt8] {
    SHA256.hash(SHA256.hash(bytes.span).bytes.span).bytes
  }

  /// Returns the 32 bytes in a record; nil if it is damaged.
  private static func scalar(_ publicKey: [UInt8], _ record: borrowing SecretBytes) throws -> SharedSecret? {
    // A DER key has 214 or 279 bytes, so its length takes one or three bytes.
    let head = record.withBytes { bytes in
      bytes.count > 3
        ? (bytes[0] < 0xfd ? (1, Int(bytes[0])) : (3, Int(bytes[1]) | Int(bytes[2]) << 8)) : (0, 0)
    }
    let der = head.0..<head.0 + head.1
    guard head.0 > 0, record.count == der.upperBound + 32 else { return nil }
    var judged = try SecretBytes(count: publicKey.count + head.1)
    record.withBytes { record in
      judged.withMutableBytes { judged in
        for index in publicKey.indices { judged[index] = publicKey[index] }
        for index in der { judged[publicKey.count + index - der.lowerBound] = record[index] }
      }
    }
    let once = try judged.withBytes { try SHA256.secretHash($0) }
    let digest = try once.withBytes { try SHA256.secretHash($0) }
    let stated = try record.copy(der.upperBound..<record.count)
    guard digest.isEqualInConstantTime(to: stated),
      let place = record.withBytes({ placeOfScalar($0, der) })
    else { return nil }
    var key = try SecretBytes(count: Curve.scalarByteCount)
    record.withBytes { record in
      key.withMutableBytes { key in
        for index in 0..<Curve.scalarByteCount { key[index] = record[place.lowerBound + index] }
      }
    }
    return SharedSecret(key)
  }

  /// Returns the key's position in its DER: a sequence of the version 1 and 32 bytes.
  private static func placeOfScalar(_ bytes: Span<UInt8>, _ der: Range<Int>) -> Range<Int>? {
    var place = der.lowerBound
    guard der.count > 8, bytes[place] == 0x30 else { return nil }
    let length = bytes[place + 1]
    place += length & 0x80 == 0 ? 2 : 2 + Int(length & 0x7f)
    guard place + 5 + 32 <= der.upperBound, bytes[place] == 2, bytes[place + 1] == 1, bytes[place + 2] == 1,
      bytes[place + 3] == 4, bytes[place + 4] == 32
    else { return nil }
    return place + 5..<place + 5 + 32
  }
}

/// The master key of an encrypted wallet, itself encrypted with a password.
struct CoreMasterKey {
  private let ciphertext: [UInt8]
  private let salt: [UInt8]
  private let method: UInt64
  private let rounds: UInt64

  /// Parses a record.
  init(_ record: [UInt8]) throws(ByteReader.Exhausted) {
    var reader = ByteReader(record)
    ciphertext = try reader.counted()
    salt = try reader.counted()
    method = UInt64(try reader.u32())
    rounds = UInt64(try reader.u32())
  }

  /// Whether the key derivation is supported.
  var isKnown: Bool { method == 0 && rounds > 0 }

  /// Decrypts the master key; nil if the password is certainly wrong.
  ///
  /// - Throws: ``WorkBudget/Exceeded`` for more rounds than any wallet uses.
  func open(_ password: SharedSecret, work: WorkBudget) throws -> SharedSecret? {
    guard isKnown, let rounds = Int(exactly: rounds) else { return nil }
    let count = password.bytes.count
    var salted = try SecretBytes(count: count + salt.count)
    password.bytes.withBytes { password in
      salted.withMutableBytes { salted in
        for index in password.indices { salted[index] = password[index] }
        for index in salt.indices { salted[count + index] = salt[index] }
      }
    }
    let derived = try work.sha512(salted, rounds: rounds)
    let vector = derived.withBytes { bytes in (32..<48).map { bytes[$0] } }
    do throws(CryptoError) {
      let key = try AESCipher.decryptCBC(ciphertext.span, key: try derived.copy(0..<32), vector: vector)
      return key.count == 32 ? SharedSecret(key) : nil
    } catch .notAuthentic {
      return nil
    }
  }
}
