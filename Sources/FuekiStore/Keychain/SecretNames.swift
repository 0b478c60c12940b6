internal import FuekiCrypto

/// The ids under which an archive's secrets are kept.
///
/// A keychain has one key share and one private key of an id, and nothing keeps an archive from having two: a wallet's
/// own share, and another program's file of it from before a refresh, say. None takes the other's place.
struct SecretNames {
  /// Of each id the secrets that came with it, in their order, as digests under a key that is forgotten with this value.
  private var taken: [[UInt8]: [Digest]] = [:]
  private let key = RandomBytes.bytes(32)

  /// A digest that says nothing to anybody else.
  func digest(of secret: borrowing SecretBytes) -> Digest {
    let key = key
    return secret.withBytes { secret in
      let span = key.span
      return SHA256.hash(span, secret)
    }
  }

  /// The id for a secret: its own, or another where a different secret came with that before.
  ///
  /// - Returns: the id, the same for the same archive each time, and whether this very secret came before.
  mutating func name(_ id: [UInt8], _ secret: borrowing SecretBytes) -> (id: [UInt8], isRepeated: Bool) {
    let digest = digest(of: secret)
    let others = taken[id] ?? []
    let known = others.firstIndex(of: digest)
    if known == nil { taken[id, default: []].append(digest) }
    return (Self.id(id, number: known ?? others.count), known != nil)
  }

  // By its place alone: an id must not tell what the secret is.
  private static func id(_ id: [UInt8], number: Int) -> [UInt8] {
    guard number > 0 else { return id }
    let digest = SHA256.hash(Array("fueki another secret ".utf8), id, Array("\(number)".utf8))
    return Array(digest.bytes.prefix(16))
  }
}
