internal import FuekiCrypto
internal import FuekiWallet

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

  /// - Parameters:
  ///   - record: the database's record.
  ///   - id: its id in the database.
  ///   - masterKey: the key for encrypted private keys.
  /// - Throws: ``CryptoError``, and ``ExtendedKeyError`` if the library fails.
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
