public import FuekiCrypto

/// An output descriptor with public keys, which defines a wallet's addresses.
///
/// Supports `pk`, `pkh`, `wpkh`, `sh`, `wsh`, `multi`, `sortedmulti`, `tr`, `addr` and `raw`, with
/// hexadecimal or extended public keys; neither `combo` nor miniscript. See BIP-380 to BIP-386 and BIP-389.
public struct Descriptor: Sendable {
  /// The limit of a descriptor's length, in characters.
  public static let characterCountLimit = 16_384

  /// The text without its checksum.
  public let expression: String
  /// The eight characters of the checksum after `#`.
  public let checksum: String
  /// The number of descriptors in the text: one for each number of a step such as `<0;1>`.
  ///
  /// By convention the first is for receiving and the second for change.
  public let branchCount: Int
  private let script: ScriptExpression

  /// Parses a descriptor.
  ///
  /// The checksum is optional, but must be right if present.
  ///
  /// - Throws: ``DescriptorError``.
  public init(parsing text: String) throws(DescriptorError) {
    guard text.utf8.count <= Self.characterCountLimit else { throw .tooLong }
    // Character comparisons below are exact for ASCII only, where each character has one spelling.
    guard text.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) else { throw .invalidCharacter }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let checksum = DescriptorChecksum.of(parts[0]) else { throw .invalidCharacter }
    if parts.count == 2 {
      guard DescriptorChecksum.isOne(parts[1]) else { throw .noChecksum }
      guard parts[1] == checksum else { throw .wrongChecksum }
    }
    expression = String(parts[0])
    self.checksum = checksum
    script = try ScriptExpression(parsing: parts[0])
    let counts = Set(script.keys.map(\.keys.count)).subtracting([1])
    guard counts.count <= 1 else { throw .invalidMultipath }
    branchCount = counts.first ?? 1
    guard Set(script.keys.compactMap(\.isTest)).count <= 1 else { throw .otherNetwork }
  }

  /// Whether the scripts depend on the index.
  public var isRanged: Bool { script.keys.contains(where: \.isRanged) }

  /// Returns the output script for an index.
  ///
  /// - Parameters:
  ///   - index: the index, below 2³¹.
  ///   - branch: the branch, from 0 and below ``branchCount``.
  /// - Returns: the script's bytes.
  /// - Throws: ``DescriptorError/noSuchBranch``, ``DescriptorError/noSuchIndex`` or
  ///   ``DescriptorError/crypto(_:)``.
  public func scriptPubKey(at index: UInt32, branch: Int = 0) throws(DescriptorError) -> [UInt8] {
    guard 0..<branchCount ~= branch else { throw .noSuchBranch }
    return try script.script(at: index, branch: branch)
  }

  /// Returns the address for an index on a network.
  ///
  /// - Parameters:
  ///   - index: the index, below 2³¹.
  ///   - branch: the branch, from 0 and below ``branchCount``.
  ///   - network: the network of the address.
  /// - Returns: the address in the network's spelling.
  /// - Throws: As ``scriptPubKey(at:branch:)``; ``DescriptorError/otherNetwork`` if an extended key or an
  ///   address is for another network, and ``DescriptorError/noAddress`` if the script has no address.
  public func address(
    at index: UInt32, branch: Int = 0, network: BitcoinNetwork
  ) throws(DescriptorError) -> String {
    guard !script.keys.contains(where: { $0.isTest == !network.isTest }) else { throw .otherNetwork }
    let script = try scriptPubKey(at: index, branch: branch)
    if case .address(let address, _) = self.script {
      guard network.outputScript(of: address) == script else { throw .otherNetwork }
      return address
    }
    guard let address = network.address(of: script) else { throw .noAddress }
    return address
  }

  /// Splits the descriptor into descriptors of one branch each.
  ///
  /// - Throws: Only errors that parsing would have thrown.
  public func branches() throws(DescriptorError) -> [Descriptor] {
    guard branchCount > 1 else { return [self] }
    var branches: [Descriptor] = []
    for branch in 0..<branchCount {
      // Angle brackets occur only around the numbers of one step.
      var text = ""
      var rest = expression[...]
      while let open = rest.firstIndex(of: "<"), let close = rest.firstIndex(of: ">") {
        text += rest[..<open]
        text += rest[open..<close].dropFirst().split(separator: ";")[branch]
        rest = rest[close...].dropFirst()
      }
      branches.append(try Descriptor(parsing: text + rest))
    }
    return branches
  }
}

extension Descriptor: Hashable, CustomStringConvertible {
  /// The text with its checksum.
  public var description: String { "\(expression)#\(checksum)" }

  /// Whether both have the same text.
  public static func == (a: Descriptor, b: Descriptor) -> Bool { a.expression == b.expression }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(expression) }

  /// Returns the descriptor of a single-key account whose extended key implies its address type, such as
  /// `zpub`.
  ///
  /// Nil if it implies none, as `xpub`, or is one key of a multisig.
  package static func account(_ key: ExtendedPublicKey, origin: KeyOrigin?) -> Descriptor? {
    let text = (origin.map { "[\($0)]" } ?? "") + key.text(as: key.version.standard) + "/<0;1>/*"
    switch key.version.script {
    case .segwit: return try? Descriptor(parsing: "wpkh(\(text))")
    case .nestedSegwit: return try? Descriptor(parsing: "sh(wpkh(\(text)))")
    case .any, .multisig, .nestedMultisig: return nil
    }
  }
}

extension Descriptor {
  /// The required and total number of signatures; nil if the script has further conditions.
  public var quorum: (required: Int, total: Int)? { script.quorum }
}

extension ScriptExpression {
  fileprivate var quorum: (required: Int, total: Int)? {
    switch self {
    case .publicKey, .publicKeyHash, .witnessPublicKeyHash, .taproot(_, nil): (1, 1)
    case .scriptHash(let inner), .witnessScriptHash(let inner): inner.quorum
    case .multisig(let threshold, let keys, _): (threshold, keys.count)
    case .taproot, .address, .raw: nil
    }
  }
}

/// The eight characters after a descriptor's `#`, which detect up to three wrong characters.
///
/// See BIP-380.
public enum DescriptorChecksum {
  /// The number of characters.
  public static let characterCount = 8

  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

  /// The place of every allowed character: 32 × group + symbol; nil for all others.
  private static let places: [UInt64?] = {
    let characters =
      "0123456789()[],'/*abcdefgh@:$%{}" + "IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~"
      + "ijklmnopqrstuvwxyzABCDEFGH`#\"\\ "
    var places = [UInt64?](repeating: nil, count: 256)
    for (place, character) in characters.utf8.enumerated() { places[Int(character)] = UInt64(place) }
    return places
  }()

  /// Computes the checksum of an expression; nil if it has characters outside the alphabet.
  public static func of(_ expression: some StringProtocol) -> String? {
    of(Array(expression.utf8).span)
  }

  /// Computes the checksum of an expression's bytes, which may contain private keys.
  public static func of(_ expression: Span<UInt8>) -> String? {
    var remainder: UInt64 = 1
    var groups: UInt64 = 0
    var groupCount = 0
    for index in expression.indices {
      guard let place = places[Int(expression[index])] else { return nil }
      remainder = next(remainder, place & 31)
      groups = groups * 3 + place >> 5
      groupCount += 1
      guard groupCount == 3 else { continue }
      remainder = next(remainder, groups)
      (groups, groupCount) = (0, 0)
    }
    if groupCount > 0 { remainder = next(remainder, groups) }
    for _ in 0..<characterCount { remainder = next(remainder, 0) }
    remainder ^= 1
    let characters = (0..<characterCount).map { place in
      alphabet[Int(remainder >> UInt64(5 * (characterCount - 1 - place)) & 31)]
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Whether a text has the form of a checksum.
  static func isOne(_ text: Substring) -> Bool {
    text.utf8.count == characterCount && text.utf8.allSatisfy(alphabet.contains)
  }

  private static func next(_ remainder: UInt64, _ symbol: UInt64) -> UInt64 {
    let top = remainder >> 35
    var remainder = (remainder & 0x7_ffff_ffff) << 5 ^ symbol
    let generator: [5 of UInt64] = [
      0xf5_dee5_1989, 0xa9_fdca_3312, 0x1b_ab10_e32d, 0x37_06b1_677a, 0x64_4d62_6ffd,
    ]
    for index in generator.indices where top >> UInt64(index) & 1 == 1 { remainder ^= generator[index] }
    return remainder
  }
}

/// Why an output descriptor is invalid, or cannot answer a request.
public enum DescriptorError: Error, Hashable, Sendable {
  /// It has more characters than ``Descriptor/characterCountLimit``.
  case tooLong
  /// It has a character outside the descriptors' alphabet.
  case invalidCharacter
  /// The text after `#` is not eight characters of the checksum's alphabet.
  case noChecksum
  /// The checksum does not match: a character is wrong.
  case wrongChecksum
  /// It is not an expression with arguments in brackets, or their number is wrong.
  case syntax
  /// It has an unsupported expression.
  case unsupported(name: String)
  /// An expression is not allowed at its position.
  case misplaced(name: String)
  /// A key is neither hexadecimal nor an extended key, or not a point of the curve.
  case invalidKey
  /// A key is private.
  ///
  /// Only descriptors with public keys are accepted.
  case privateKey
  /// A key is uncompressed where only compressed keys are allowed.
  case uncompressedKey
  /// The square brackets before a key do not hold an origin.
  case invalidOrigin
  /// A step is not a number below 2³¹, or follows a key without children.
  case invalidStep
  /// A step from an extended public key is hardened.
  case hardenedStep
  /// A step of several numbers is invalid.
  ///
  /// It repeats a number, has more than 256 or is not closed, or the keys' steps differ in their counts.
  case invalidMultipath
  /// The number of signatures is not between 1 and the number of keys, or there are too many keys.
  case invalidThreshold
  /// The script of a `raw` expression is not hexadecimal.
  case invalidScript
  /// The address of an `addr` expression is invalid.
  case address(AddressProblem)
  /// Its script has no address.
  case noAddress
  /// It is for another network.
  case otherNetwork
  /// It has fewer branches.
  case noSuchBranch
  /// There is no key for this index.
  case noSuchIndex
  /// The system's cryptographic library failed.
  case crypto(CryptoError)

  /// Translates an extended key's error.
  init(_ error: ExtendedKeyError) {
    self =
      switch error {
      case .notAKey, .wrongChecksum, .unknownVersion, .invalidDepth, .invalidKey, .seedLength: .invalidKey
      case .privateKey: .privateKey
      case .hardenedStep: .hardenedStep
      case .noSuchChild: .noSuchIndex
      case .tooDeep: .invalidStep
      case .crypto(let error): .crypto(error)
      }
  }
}
