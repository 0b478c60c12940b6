internal import FuekiCrypto

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
