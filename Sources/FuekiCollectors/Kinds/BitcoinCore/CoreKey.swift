internal import FuekiArchive
internal import FuekiSources
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

/// A descriptor of a Bitcoin Core wallet, with the public keys for its addresses.
///
/// The wallet's own text has the root public key and hardened steps, which need the private key. Either that
/// is available, or the wallet cached the keys below those steps.
struct CoreDescriptor {
  /// The text with its checksum; nil if the keys cannot be derived.
  private(set) var text: String?
  /// Whether a private key was found for every key in the text that needs one.
  private(set) var hasKeys = false
  /// Whether the wallet's cached keys match its private keys.
  private(set) var notesAgree = true
  /// Whether the text matches its checksum and its id.
  let isWhole: Bool
  /// Nil for an unsupported form.
  var parsed: Descriptor? { text.flatMap { try? Descriptor(parsing: $0) } }

  private let id: [UInt8]
  private let record: CoreRecords.Descriptor

  init(_ record: CoreRecords.Descriptor, id: [UInt8], masterKey: SharedSecret?) throws {
    self.record = record
    self.id = id
    let bytes = record.text
    guard let outline = DescriptorOutline(bytes.span) else {
      isWhole = false
      return
    }
    isWhole = outline.isWhole(bytes.span) && Self.isNamed(bytes, outline, id)
    var replaced: [Int: String] = [:]
    var isPublic = true
    var foundCount = 0
    for (index, key) in outline.keys.enumerated() {
      let found = try secret(of: String(decoding: bytes[key.key], as: UTF8.self), masterKey)
      if found != nil { foundCount += 1 }
      switch try resolve(key, index, found) {
      case .asItIs: continue
      case .other(let text): replaced[index] = text
      case .unknown: isPublic = false
      }
    }
    hasKeys = !outline.keys.isEmpty && foundCount > 0 && foundCount == record.keys.count
    if isPublic { text = outline.text(bytes.span, replacing: replaced) }
  }

  /// A descriptor's id is the digest of its text, either with `'` for hardened steps or unchanged.
  private static func isNamed(_ bytes: [UInt8], _ outline: DescriptorOutline, _ id: [UInt8]) -> Bool {
    func digest(_ expression: [UInt8]) -> [UInt8]? {
      DescriptorChecksum.of(expression.span).map {
        SHA256.hash(expression, Array("#\($0)".utf8)).bytes
      }
    }
    var respelled = bytes
    let places = outline.keys.flatMap { Array($0.steps) + ($0.origin.map(Array.init) ?? []) }
    for place in places where bytes[place] == UInt8(ascii: "h") { respelled[place] = UInt8(ascii: "'") }
    return SHA256.hash(bytes.span).bytes == id
      || [bytes, respelled].contains { digest(Array($0[outline.expression])) == id }
  }

  /// Returns the private key of a public one, if the wallet has it and it can be decrypted.
  private func secret(of text: String, _ masterKey: SharedSecret?) throws -> SharedSecret? {
    let point = (try? ExtendedPublicKey(parsing: text).key) ?? Hex.decode(text)
    let compressed = point.map { $0.count == 65 ? [2 | $0[64] & 1] + $0[1...32] : $0 }
    return try record.keys.first { $0.compressed == compressed }.flatMap { try $0.secret(masterKey) }
  }

  private enum Resolved {
    case asItIs
    case other(String)
    case unknown
  }

  private mutating func resolve(
    _ key: DescriptorOutline.Key, _ index: Int, _ secret: SharedSecret?
  ) throws -> Resolved {
    let bytes = record.text
    let parts = String(decoding: bytes[key.steps], as: UTF8.self).split(separator: "/")
    let isHardened: (Substring) -> Bool = { $0.hasSuffix("'") || $0.hasSuffix("h") }
    guard let last = parts.lastIndex(where: isHardened) else { return .asItIs }
    let steps = parts.map { DerivationStep($0) }
    let upper = steps[...last].compactMap(\.self)
    guard upper.count == last + 1,
      let root = try? ExtendedPublicKey(parsing: String(decoding: bytes[key.key], as: UTF8.self))
    else { return .unknown }
    let origin = key.origin.map { String(decoding: bytes[$0], as: UTF8.self) }
    guard
      let above = try origin.map({ KeyOrigin($0) })
        ?? KeyOrigin(fingerprint: root.fingerprint(), path: DerivationPath())
    else { return .unknown }
    func text(_ key: ExtendedPublicKey, below steps: [DerivationStep], _ rest: [Substring]) -> String {
      let origin = KeyOrigin(
        fingerprint: above.fingerprint, path: DerivationPath(above.path.steps + steps))
      return "[\(origin)]\(key.text)" + rest.map { "/\($0)" }.joined()
    }
    // All steps but the star, if each is a number: the cached key is the addresses' parent.
    let parentSteps = parts.last == "*" ? steps.dropLast().compactMap(\.self) : []
    let noted = record.lastHardened[index].flatMap { Self.key($0, root, depth: upper.count) }
    let parent =
      parentSteps.count == parts.count - 1
      ? record.parents[index].flatMap { Self.key($0, root, depth: parentSteps.count) } : nil
    if let secret {
      let derived: ExtendedPublicKey
      do throws(ExtendedKeyError) {
        let top = try ExtendedPrivateKey(of: root, key: secret.bytes)
        derived = try top.descendant(DerivationPath(upper)).publicKey()
      } catch {
        return .unknown
      }
      let below = parentSteps.dropFirst(upper.count)
      let derivedParent = try below.isEmpty ? derived : derived.descendant(DerivationPath(Array(below)))
      if let noted, noted.key != derived.key { notesAgree = false }
      if let parent, parent.key != derivedParent.key { notesAgree = false }
      return .other(text(derived, below: upper, Array(parts[(last + 1)...])))
    }
    if let noted { return .other(text(noted, below: upper, Array(parts[(last + 1)...]))) }
    if let parent { return .other(text(parent, below: parentSteps, ["*"])) }
    return .unknown
  }

  /// Decodes an extended key as stored in the database: without the bytes for the network.
  private static func key(_ noted: [UInt8], _ root: ExtendedPublicKey, depth: Int) -> ExtendedPublicKey? {
    guard noted.count == 74, Int(noted[0]) == Int(root.depth) + depth else { return nil }
    let prefix = root.version.publicPrefix
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: prefix >> UInt32(24 - 8 * $0)) } + noted
    return try? ExtendedPublicKey(parsing: Base58Check.encode(bytes))
  }
}
