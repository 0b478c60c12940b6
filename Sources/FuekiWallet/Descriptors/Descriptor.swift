internal import FuekiCrypto

/// An output descriptor: what a wallet's addresses are made of, with public keys only.
///
/// `pk`, `pkh`, `wpkh`, `sh`, `wsh`, `multi`, `sortedmulti`, `tr`, `addr` and `raw` are understood, with keys that are
/// hexadecimal or extended and public; not `combo`, and not miniscript. See BIP-380 to BIP-386 and BIP-389.
public struct Descriptor: Sendable {
  /// The most characters that are read.
  public static let characterCountLimit = 16_384

  /// The text without its checksum.
  public let expression: String
  /// The eight characters that stand after the `#`.
  public let checksum: String
  /// How many descriptors the text stands for: one for each number of a step such as `<0;1>`.
  ///
  /// By custom the first is for receiving, and the second for change.
  public let branchCount: Int
  private let script: ScriptExpression

  /// Reads a descriptor; a checksum need not be there, but if it is, it must be right.
  ///
  /// - Throws: ``DescriptorError``.
  public init(parsing text: String) throws(DescriptorError) {
    guard text.utf8.count <= Self.characterCountLimit else { throw .tooLong }
    // What follows compares characters, of which some have more than one spelling beyond ASCII.
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

  /// Whether the scripts differ from index to index; if not, every index has the same.
  public var isRanged: Bool { script.keys.contains(where: \.isRanged) }

  /// Where its keys say that they come from, from left to right.
  public var origins: [KeyOrigin] { script.keys.compactMap(\.origin) }

  /// The output script with an index.
  ///
  /// - Parameters:
  ///   - index: which one, below 2³¹.
  ///   - branch: which of ``branchCount``; 0 is the first.
  /// - Returns: its bytes.
  /// - Throws: ``DescriptorError/noSuchBranch``, ``DescriptorError/noSuchIndex`` or
  ///   ``DescriptorError/crypto(_:)``.
  public func scriptPubKey(at index: UInt32, branch: Int = 0) throws(DescriptorError) -> [UInt8] {
    guard 0..<branchCount ~= branch else { throw .noSuchBranch }
    return try script.script(at: index, branch: branch)
  }

  /// The address with an index on a network.
  ///
  /// - Parameters:
  ///   - index: which one, below 2³¹.
  ///   - branch: which of ``branchCount``; 0 is the first.
  ///   - network: the network that the address is for.
  /// - Returns: the address as it is written on that network.
  /// - Throws: As ``scriptPubKey(at:branch:)``; ``DescriptorError/otherNetwork`` where an extended key or an address
  ///   is for another, and ``DescriptorError/noAddress`` where no address leads to the script.
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

  /// The descriptors that the text stands for, each with one branch.
  ///
  /// - Throws: Nothing that reading this one did not throw.
  public func branches() throws(DescriptorError) -> [Descriptor] {
    guard branchCount > 1 else { return [self] }
    var branches: [Descriptor] = []
    for branch in 0..<branchCount {
      // Pointed brackets stand nowhere but around the numbers of one step.
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

  /// Feeds the text to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(expression) }

  /// The descriptor of an account whose extended key says by its first characters what its addresses are, such as
  /// `zpub`; nil where it does not, as `xpub`, or is one of several that sign together.
  public static func account(_ key: ExtendedPublicKey, origin: KeyOrigin?) -> Descriptor? {
    let text = (origin.map { "[\($0)]" } ?? "") + key.text(as: key.version.standard) + "/<0;1>/*"
    switch key.version.script {
    case .segwit: return try? Descriptor(parsing: "wpkh(\(text))")
    case .nestedSegwit: return try? Descriptor(parsing: "sh(wpkh(\(text)))")
    case .any, .multisig, .nestedMultisig: return nil
    }
  }
}

extension Descriptor {
  /// How many of how many keys sign for its scripts; nil where that is not the whole of the rule.
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
