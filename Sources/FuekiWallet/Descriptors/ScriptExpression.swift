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
