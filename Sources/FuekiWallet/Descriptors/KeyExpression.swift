internal import FuekiCrypto

/// A descriptor's key, or its keys by index and branch.
///
/// See BIP-380 and BIP-389.
struct KeyExpression: Sendable {
  /// A key for all indices, or the parent of the indexed keys.
  enum Key: Sendable {
    /// A point, compressed or uncompressed.
    case fixed([UInt8])
    /// The direct parent of the indexed keys.
    case ranged(ExtendedPublicKey)
  }

  /// The key's stated origin.
  let origin: KeyOrigin?
  /// One key for each branch, or a single one for all branches.
  let keys: [Key]
  /// Whether the key is for test networks; nil if unknown.
  let isTest: Bool?

  /// Parses a key.
  init(_ text: Substring, allowingXOnly: Bool) throws(DescriptorError) {
    let (origin, rest) = try Self.origin(of: text)
    self.origin = origin
    var parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    let key = parts.removeFirst()
    if let point = try Self.point(key, allowingXOnly: allowingXOnly) {
      guard parts.isEmpty else { throw .invalidStep }
      keys = [.fixed(point)]
      isTest = nil
      return
    }
    let extended = try Self.extendedKey(key)
    isTest = extended.version.isTest
    let isRanged = parts.last == "*"
    if isRanged { parts.removeLast() }
    keys = try Self.paths(parts).map { path throws(DescriptorError) in
      do throws(ExtendedKeyError) {
        let last = try extended.descendant(path)
        return isRanged ? .ranged(last) : .fixed(last.key)
      } catch {
        throw DescriptorError(error)
      }
    }
  }

  /// Whether the key depends on the index.
  var isRanged: Bool {
    if case .ranged = keys.first { true } else { false }
  }

  /// Returns the point for an index in a branch, compressed unless the descriptor states an uncompressed key.
  func point(at index: UInt32, branch: Int) throws(DescriptorError) -> [UInt8] {
    guard branch < keys.count || keys.count == 1 else { throw .noSuchBranch }
    switch keys[keys.count == 1 ? 0 : branch] {
    case .fixed(let point): return point
    case .ranged(let parent):
      guard index < DerivationStep.hardenedBase else { throw .noSuchIndex }
      do throws(ExtendedKeyError) {
        return try parent.child(DerivationStep(number: index)).key
      } catch {
        throw DescriptorError(error)
      }
    }
  }
}

extension KeyExpression {
  private static func origin(of text: Substring) throws(DescriptorError) -> (KeyOrigin?, Substring) {
    guard text.first == "[" else { return (nil, text) }
    guard let close = text.firstIndex(of: "]"), let origin = KeyOrigin(text[..<close].dropFirst()) else {
      throw .invalidOrigin
    }
    return (origin, text[text.index(after: close)...])
  }

  /// Parses a point in hexadecimal; nil for other text.
  private static func point(
    _ text: Substring, allowingXOnly: Bool
  ) throws(DescriptorError) -> [UInt8]? {
    let counts = allowingXOnly ? [64, 66, 130] : [66, 130]
    guard counts.contains(text.utf8.count), let bytes = Hex.decode(String(text)) else { return nil }
    if bytes.count == 65 {
      guard bytes[0] == 4 else { throw .invalidKey }
      do throws(CryptoError) {
        _ = try CurvePoint.compressed(x: Array(bytes[1...32]), y: Array(bytes[33...]), on: .secp256k1)
        return bytes
      } catch {
        throw .invalidKey
      }
    }
    let point = bytes.count == 32 ? [2] + bytes : bytes
    guard CurvePoint.isValid(point, on: .secp256k1) else { throw .invalidKey }
    return point
  }

  private static func extendedKey(_ text: Substring) throws(DescriptorError) -> ExtendedPublicKey {
    do throws(ExtendedKeyError) {
      let key = try ExtendedPublicKey(parsing: String(text))
      guard key.version == key.version.standard else { throw .unknownVersion }
      return key
    } catch {
      throw isPrivateKey(text) ? .privateKey : DescriptorError(error)
    }
  }

  /// Whether a text is a private key in the Wallet Import Format.
  private static func isPrivateKey(_ text: Substring) -> Bool {
    guard let payload = try? Base58Check.decode(String(text)) else { return false }
    return payload.count == 33 || payload.count == 34 && payload[33] == 1
  }

  /// The limit of branches, because each is a derivation.
  ///
  /// Wallets have two.
  private static let branchCountLimit = 256

  /// Expands the steps to paths, one for each branch.
  private static func paths(_ parts: [Substring]) throws(DescriptorError) -> [DerivationPath] {
    var paths = [DerivationPath()]
    for part in parts {
      let steps = try steps(part)
      guard steps.count == 1 || paths.count == 1 else { throw .invalidMultipath }
      guard !steps.contains(where: \.isHardened) else { throw .hardenedStep }
      paths =
        steps.count == 1
        ? paths.map { DerivationPath($0.steps + steps) }
        : steps.map { DerivationPath(paths[0].steps + [$0]) }
    }
    return paths
  }

  /// Parses the numbers of one step, several if it is in angle brackets.
  private static func steps(_ part: Substring) throws(DescriptorError) -> [DerivationStep] {
    guard part.contains(where: { "<;>".contains($0) }) else {
      // "*h" is a last step that needs the private key.
      guard part != "*h", part != "*'" else { throw .hardenedStep }
      guard let step = DerivationStep(part) else { throw .invalidStep }
      return [step]
    }
    guard part.first == "<", part.last == ">" else { throw .invalidMultipath }
    let numbers = part.dropFirst().dropLast().split(separator: ";", omittingEmptySubsequences: false)
    guard numbers.count <= branchCountLimit else { throw .invalidMultipath }
    let steps = numbers.compactMap { DerivationStep($0) }
    guard steps.count == numbers.count, steps.count > 1, Set(steps).count == steps.count else {
      throw .invalidMultipath
    }
    return steps
  }
}
