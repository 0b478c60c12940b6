internal import FuekiCrypto

/// Assigns unique ids to an archive's secrets.
///
/// A keychain has one key share and one private key per id, but an archive may have several, such as a
/// wallet's own share and another program's file of it from before a refresh. Neither may replace the other.
struct SecretNames {
  /// The secrets seen for each id, in order, as digests under a key that is discarded with this value.
  private var taken: [[UInt8]: [Digest]] = [:]
  private let key = RandomBytes.bytes(32)

  /// Returns a digest that is meaningless without the key.
  func digest(of secret: borrowing SecretBytes) -> Digest {
    let key = key
    return secret.withBytes { secret in
      let span = key.span
      return SHA256.hash(span, secret)
    }
  }

  /// Returns the id for a secret: its own, or another if a different secret already has it.
  ///
  /// - Returns: the id, the same for the same archive each time, and whether this very secret came before.
  mutating func name(_ id: [UInt8], _ secret: borrowing SecretBytes) -> (id: [UInt8], isRepeated: Bool) {
    let digest = digest(of: secret)
    let others = taken[id] ?? []
    let known = others.firstIndex(of: digest)
    if known == nil { taken[id, default: []].append(digest) }
    return (Self.id(id, number: known ?? others.count), known != nil)
  }

  // Derived from its position alone, because an id must reveal nothing of the secret.
  private static func id(_ id: [UInt8], number: Int) -> [UInt8] {
    guard number > 0 else { return id }
    let digest = SHA256.hash(Array("fueki another secret ".utf8), id, Array("\(number)".utf8))
    return Array(digest.bytes.prefix(16))
  }
}
