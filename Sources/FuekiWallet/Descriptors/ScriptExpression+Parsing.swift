internal import FuekiCrypto

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
