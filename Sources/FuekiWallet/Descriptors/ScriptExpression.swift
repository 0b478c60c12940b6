internal import FuekiCrypto

/// A descriptor's script expression.
///
/// See BIP-381 to BIP-386.
indirect enum ScriptExpression: Sendable {
  case publicKey(KeyExpression)
  case publicKeyHash(KeyExpression)
  case witnessPublicKeyHash(KeyExpression)
  case scriptHash(ScriptExpression)
  case witnessScriptHash(ScriptExpression)
  case multisig(threshold: Int, keys: [KeyExpression], isSorted: Bool)
  case taproot(KeyExpression, TaprootTree?)
  case address(String, script: [UInt8])
  case raw([UInt8])

  /// All of its keys, from left to right.
  var keys: [KeyExpression] {
    switch self {
    case .publicKey(let key), .publicKeyHash(let key), .witnessPublicKeyHash(let key): [key]
    case .scriptHash(let inner), .witnessScriptHash(let inner): inner.keys
    case .multisig(_, let keys, _): keys
    case .taproot(let key, let tree): [key] + (tree?.keys ?? [])
    case .address, .raw: []
    }
  }

  /// Returns the output script for an index in a branch.
  func script(at index: UInt32, branch: Int) throws(DescriptorError) -> [UInt8] {
    switch self {
    case .publicKey(let key):
      return OutputScript.push(try key.point(at: index, branch: branch)) + [OutputScript.checkSignature]
    case .publicKeyHash(let key):
      return OutputScript.payToKeyHash(try hash160(key.point(at: index, branch: branch)))
    case .witnessPublicKeyHash(let key):
      return OutputScript.witness(version: 0, program: try hash160(key.point(at: index, branch: branch)))
    case .scriptHash(let inner):
      return OutputScript.payToScriptHash(try hash160(inner.script(at: index, branch: branch)))
    case .witnessScriptHash(let inner):
      let script = try inner.script(at: index, branch: branch)
      return OutputScript.witness(version: 0, program: SHA256.hash(script.span).bytes)
    case .multisig(let threshold, let keys, let isSorted):
      var points: [[UInt8]] = []
      for key in keys { points.append(try key.point(at: index, branch: branch)) }
      if isSorted { points.sort { $0.lexicographicallyPrecedes($1) } }
      return OutputScript.multisig(threshold: threshold, points: points)
    case .taproot(let key, let tree):
      let internalKey = try Array(key.point(at: index, branch: branch).dropFirst())
      let root = try tree?.hash(at: index, branch: branch)
      return OutputScript.witness(version: 1, program: try Taproot.outputKey(internalKey, root: root))
    case .address(_, let script), .raw(let script): return script
    }
  }

  private func hash160(_ bytes: [UInt8]) throws(DescriptorError) -> [UInt8] {
    do throws(CryptoError) {
      return try Hash160.hash(bytes)
    } catch {
      throw .crypto(error)
    }
  }
}

/// Output scripts, as bytes.
enum OutputScript {
  static let checkSignature: UInt8 = 0xac

  static func push(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count)] + bytes }

  static func payToKeyHash(_ hash: [UInt8]) -> [UInt8] {
    [0x76, 0xa9] + push(hash) + [0x88, checkSignature]
  }

  static func payToScriptHash(_ hash: [UInt8]) -> [UInt8] { [0xa9] + push(hash) + [0x87] }

  static func witness(version: UInt8, program: [UInt8]) -> [UInt8] {
    [version == 0 ? 0 : 0x50 + version] + push(program)
  }

  static func multisig(threshold: Int, points: [[UInt8]]) -> [UInt8] {
    number(threshold) + points.flatMap(push) + number(points.count) + [0xae]
  }

  /// Numbers up to 16 have their own opcodes.
  private static func number(_ value: Int) -> [UInt8] {
    value <= 16 ? [0x50 + UInt8(value)] : [1, UInt8(value)]
  }
}

extension ScriptExpression {
  /// The context of an expression, which determines the allowed expressions.
  private enum Place {
    case top, scriptHash, witnessScriptHash
  }

  /// Parses a complete expression, without its checksum.
  init(parsing text: Substring) throws(DescriptorError) { try self.init(text, in: .top) }

  private init(_ text: Substring, in place: Place) throws(DescriptorError) {
    guard let (name, arguments) = DescriptorText(text: text).call else { throw .syntax }
    switch name {
    case "pk": self = .publicKey(try Self.onlyKey(arguments, in: place))
    case "pkh": self = .publicKeyHash(try Self.onlyKey(arguments, in: place))
    case "wpkh":
      guard place != .witnessScriptHash else { throw .misplaced(name: name) }
      self = .witnessPublicKeyHash(try Self.compressed(Self.onlyKey(arguments, in: place)))
    case "sh":
      guard place == .top else { throw .misplaced(name: name) }
      self = .scriptHash(try ScriptExpression(Self.only(arguments), in: .scriptHash))
    case "wsh":
      guard place != .witnessScriptHash else { throw .misplaced(name: name) }
      self = .witnessScriptHash(try ScriptExpression(Self.only(arguments), in: .witnessScriptHash))
    case "multi", "sortedmulti":
      self = try Self.multisig(arguments, isSorted: name == "sortedmulti", in: place)
    case "tr":
      guard place == .top else { throw .misplaced(name: name) }
      self = try Self.taproot(arguments)
    case "addr":
      guard place == .top else { throw .misplaced(name: name) }
      let address = String(try Self.only(arguments))
      self = .address(address, script: try Self.script(of: address))
    case "raw":
      guard place == .top else { throw .misplaced(name: name) }
      guard let script = Hex.decode(String(try Self.only(arguments))) else { throw .invalidScript }
      self = .raw(script)
    default: throw .unsupported(name: name)
    }
  }

  private static func only(_ arguments: [Substring]) throws(DescriptorError) -> Substring {
    guard arguments.count == 1 else { throw .syntax }
    return arguments[0]
  }

  private static func onlyKey(
    _ arguments: [Substring], in place: Place
  ) throws(DescriptorError) -> KeyExpression {
    try key(only(arguments), in: place)
  }

  private static func key(_ text: Substring, in place: Place) throws(DescriptorError) -> KeyExpression {
    let key = try KeyExpression(text, allowingXOnly: false)
    return place == .witnessScriptHash ? try compressed(key) : key
  }

  private static func compressed(_ key: KeyExpression) throws(DescriptorError) -> KeyExpression {
    if case .fixed(let point) = key.keys[0], point.count == 65 { throw .uncompressedKey }
    return key
  }

  private static func multisig(
    _ arguments: [Substring], isSorted: Bool, in place: Place
  ) throws(DescriptorError) -> ScriptExpression {
    // Digits only, because `Int` also accepts "+2".
    guard let first = arguments.first, first.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let threshold = Int(first)
    else { throw .invalidThreshold }
    var keys: [KeyExpression] = []
    let limit =
      switch place {
      case .top: 3
      case .scriptHash: 15
      case .witnessScriptHash: 20
      }
    guard 1..<arguments.count ~= threshold, arguments.count - 1 <= limit else { throw .invalidThreshold }
    for argument in arguments.dropFirst() { keys.append(try key(argument, in: place)) }
    return .multisig(threshold: threshold, keys: keys, isSorted: isSorted)
  }

  private static func taproot(_ arguments: [Substring]) throws(DescriptorError) -> ScriptExpression {
    guard 1...2 ~= arguments.count else { throw .syntax }
    let key = try compressed(KeyExpression(arguments[0], allowingXOnly: true))
    return .taproot(
      key,
      try arguments.dropFirst().first.map { text throws(DescriptorError) in
        try tree(text, depth: 0)
      })
  }

  private static func tree(_ text: Substring, depth: Int) throws(DescriptorError) -> TaprootTree {
    guard depth <= TaprootTree.depthLimit else { throw .syntax }
    if let (left, right) = DescriptorText(text: text).pair {
      return .pair(try tree(left, depth: depth + 1), try tree(right, depth: depth + 1))
    }
    guard let (name, arguments) = DescriptorText(text: text).call else { throw .syntax }
    switch name {
    case "pk": return .leaf(try compressed(KeyExpression(only(arguments), allowingXOnly: true)))
    case "pkh", "wpkh", "sh", "wsh", "tr", "multi", "sortedmulti", "addr", "raw":
      throw .misplaced(name: name)
    default: throw .unsupported(name: name)
    }
  }

  private static func script(of address: String) throws(DescriptorError) -> [UInt8] {
    for network in BitcoinNetwork.all {
      if let script = network.outputScript(of: address) { return script }
    }
    throw .address(BitcoinNetwork.all.compactMap { $0.problem(with: address) }.first ?? .unrecognised)
  }
}

/// The output key of Taproot.
///
/// See BIP-341.
enum Taproot {
  /// Tweaks a key with a commitment to its script tree, or to the absence of one.
  static func outputKey(_ internalKey: [UInt8], root: [UInt8]?) throws(DescriptorError) -> [UInt8] {
    do throws(CryptoError) {
      let tweak = taggedHash("TapTweak", internalKey + (root ?? []))
      return Array(try CurvePoint.tweakedSecp256k1([2] + internalKey, byBaseTimes: tweak).dropFirst())
    } catch {
      throw error == .invalidKey ? .noSuchIndex : .crypto(error)
    }
  }

  static func taggedHash(_ tag: String, _ message: [UInt8]) -> [UInt8] {
    let tag = SHA256.hash(Array(tag.utf8)).bytes
    return SHA256.hash(tag, tag, message).bytes
  }
}

/// The scripts of a Taproot output, each with a key that can sign.
///
/// See BIP-386.
indirect enum TaprootTree: Sendable {
  case leaf(KeyExpression)
  case pair(TaprootTree, TaprootTree)

  /// The limit of a tree's depth.
  static let depthLimit = 128

  var keys: [KeyExpression] {
    switch self {
    case .leaf(let key): [key]
    case .pair(let left, let right): left.keys + right.keys
    }
  }

  func hash(at index: UInt32, branch: Int) throws(DescriptorError) -> [UInt8] {
    switch self {
    case .leaf(let key):
      let point = try Array(key.point(at: index, branch: branch).dropFirst())
      let script = OutputScript.push(point) + [OutputScript.checkSignature]
      // The leaf version, and the script after its length.
      return Taproot.taggedHash("TapLeaf", [0xc0] + OutputScript.push(script))
    case .pair(let left, let right):
      let left = try left.hash(at: index, branch: branch)
      let right = try right.hash(at: index, branch: branch)
      let isInOrder = left.lexicographicallyPrecedes(right)
      return Taproot.taggedHash("TapBranch", isInOrder ? left + right : right + left)
    }
  }
}
