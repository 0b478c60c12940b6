public import FuekiCrypto

/// What a caller has that may open slots.
public struct UnlockingSecrets: Sendable {
  let passphrases: [SharedSecret]

  /// - Parameter passphrases: each normalised to NFKC, 1…1024 bytes.
  public init(passphrases: [SharedSecret]) { self.passphrases = passphrases }
}

/// The root keys that the caller's secrets unwrapped, and the slots that gave them.
struct UnlockedKeys {
  let roots: [ArchiveScope: SharedSecret]
  /// Slot numbers, from 1.
  let slots: [Int]

  /// Steps 5 and 6 of FORMAT.md section 8, up to unwrapping: every slot that there is a secret for is tried.
  static func unlock(
    _ header: Header, with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance
  ) throws(ArchiveError) -> UnlockedKeys {
    let tried = header.slots.enumerated().filter { $0.element.type == .passphrase }
    try checkDerivation(tried.map(\.element), secrets, allowance)
    var roots: [ArchiveScope: SharedSecret] = [:]
    var opened: [Int] = []
    for (index, slot) in tried {
      for passphrase in secrets.passphrases {
        guard let keys = try slot.unwrap(passphrase, archiveID: header.facts.archiveID, number: index + 1)
        else { continue }
        opened.append(index + 1)
        for (scope, root) in zip(slot.mask.scopes, keys) {
          if let known = roots[scope], !known.bytes.isEqualInConstantTime(to: root.bytes) {
            throw .forged(.slotsDisagree)
          }
          roots[scope] = root
        }
        break
      }
    }
    guard !opened.isEmpty else { throw .wrongSecret }
    return UnlockedKeys(roots: roots, slots: opened)
  }

  /// Every number that drives the key derivation is checked before any of it happens.
  private static func checkDerivation(
    _ slots: [Slot], _ secrets: UnlockingSecrets, _ allowance: Limits.DerivationAllowance
  ) throws(ArchiveError) {
    guard !secrets.passphrases.isEmpty else { throw .wrongSecret }
    guard slots.count <= Limits.passphraseSlotsTried else { throw .overLimit(.passphraseSlots) }
    var total: UInt64 = 0
    for slot in slots {
      guard let cost = PassphraseParameters(slot.parameters)?.cost else { throw .forged(.headerFields) }
      guard allowance.memoryKiB.contains(cost.memoryKiB) else {
        throw .overLimit(.derivationMemory(kibibytes: cost.memoryKiB))
      }
      guard Limits.passes.contains(cost.passes) else { throw .overLimit(.derivationPasses(cost.passes)) }
      total += UInt64(cost.memoryKiB) * UInt64(cost.passes)
    }
    guard total <= allowance.memoryPassesKiB else { throw .overLimit(.derivationTotal) }
  }
}

extension Slot {
  /// The root keys of the slot's scopes, or nil where the commitment does not match.
  fileprivate func unwrap(
    _ passphrase: SharedSecret, archiveID: [UInt8], number: Int
  ) throws(ArchiveError) -> [SharedSecret]? {
    guard let parameters = PassphraseParameters(parameters) else { throw .forged(.slot(number)) }
    do {
      let secret = try Argon2id.derive(
        from: passphrase.bytes, salt: parameters.salt, cost: parameters.cost)
      let keys = try SlotKeys(
        type: type, mask: mask, parameters: self.parameters, secret: secret, archiveID: archiveID)
      guard ConstantTime.areEqual(keys.commitment.span, commitment.span) else { return nil }
      let joined = try XChaCha20Poly1305.openSecret(
        wrapped.span, key: keys.wrappingKey, nonce: SlotKeys.zeroNonce, additionalData: [])
      var roots: [SharedSecret] = []
      for place in mask.scopes.indices {
        roots.append(SharedSecret(try joined.copy(place * 32..<place * 32 + 32)))
      }
      return roots
    } catch {
      switch error {
      case .notAuthentic: throw .forged(.slot(number))
      default: throw .outOfMemory
      }
    }
  }
}
