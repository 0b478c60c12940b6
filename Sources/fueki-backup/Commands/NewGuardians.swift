internal import FuekiArchive
internal import FuekiCrypto

/// A fresh key, its shares, and the public set.
///
/// The key is wiped with the last reference to it.
struct NewGuardians {
  let set: GuardianSet
  /// Each guardian's words, in member order.
  let words: [SharedSecret]
  private let key: SharedSecret

  init(_ form: AgeKeyForm, threshold: Int, count: Int, vaultID: VaultID) throws {
    let key = SharedSecret(try SecretBytes.random(count: AgeKeyForm.identityByteCount))
    let random = RandomBytes.bytes(2)
    let identifier = (UInt16(random[0]) << 8 | UInt16(random[1])) & 0x7fff
    let shares = try SLIP39.split(key.bytes, threshold: threshold, count: count, identifier: identifier)
    let words = try shares.map { try $0.words() }
    let set = GuardianSet(
      publicKey: try form.publicKey(of: key.bytes), threshold: threshold, identifier: identifier,
      shareTags: words.map { GuardianSet.shareTag(of: $0.bytes, vaultID: vaultID) })
    guard let set else { throw SLIP39Error.parameters }
    self.key = key
    self.words = words
    self.set = set
  }

  /// Returns whether words that were read back, for all guardians in member order, restore the key.
  func isGivenBack(by words: [SharedSecret]) throws -> Bool {
    let shares = try words.map { words throws(SLIP39Error) in try SLIP39Share(words: words.bytes) }
    guard shares.map(\.memberIndex) == Array(0..<set.shareTags.count) else { return false }
    let none = try SecretBytes(count: 0)
    // All at once: surplus shares must be on the polynomial that the first ones determine.
    for some in [shares, Array(shares.suffix(set.threshold))] {
      let combined = try SLIP39.combine(some, passphrase: none)
      let isSame = combined.isEqualInConstantTime(to: key.bytes)
      guard isSame, try set.form.publicKey(of: combined) == set.publicKey else { return false }
    }
    return true
  }
}
