public import FuekiCrypto

/// A caller's secrets that may open slots.
public struct UnlockingSecrets: Sendable {
  /// Passphrases, each normalised to NFKC, 1…1024 bytes.
  public var passphrases: [SharedSecret]
  /// All bytes of each key file.
  public var keyFiles: [SharedSecret]
  /// Private keys from age's identity files.
  public var identities: [AgeIdentity]
  /// The words of guardians' shares, as typed or read.
  public var guardianShares: [SharedSecret]
  /// Identities for age's plugins.
  public var plugins: [PluginIdentity]

  /// - Parameters:
  ///   - passphrases: each normalised to NFKC, 1…1024 bytes.
  ///   - keyFiles: all bytes of each; used only together with a passphrase.
  ///   - identities: private keys from age's identity files.
  ///   - guardianShares: the words of each share, in ASCII.
  ///   - plugins: identities for age's plugins.
  public init(
    passphrases: [SharedSecret] = [], keyFiles: [SharedSecret] = [], identities: [AgeIdentity] = [],
    guardianShares: [SharedSecret] = [], plugins: [PluginIdentity] = []
  ) {
    self.passphrases = passphrases
    self.keyFiles = keyFiles
    self.identities = identities
    self.guardianShares = guardianShares
    self.plugins = plugins
  }
}

/// The root keys that the caller's secrets unwrapped, and the opened slots.
struct UnlockedKeys {
  let roots: [ArchiveScope: SharedSecret]
  /// Requests for slots that the same secret would open, by the number of the opened slot, from 1.
  let slots: [Int: NewSlot]

  fileprivate struct Attempt {
    let place: SlotPlace
    let slot: Slot
    let identities: [any Identity]
  }

  /// Tries every slot that a given secret may open: steps 5 and 6 of fueki-archive(5), up to unwrapping.
  static func unlock(
    _ header: Header, with secrets: UnlockingSecrets, allowance: Limits.DerivationAllowance
  ) throws(ArchiveError) -> UnlockedKeys {
    let attempts = attempts(header, secrets)
    try checkDerivation(attempts.map(\.slot), allowance)
    var roots: [ArchiveScope: SharedSecret] = [:]
    var opened: [Int: NewSlot] = [:]
    var closed = ArchiveError.wrongSecret
    for attempt in attempts {
      for identity in attempt.identities {
        let secret: UnwrappingSecret
        do throws(ArchiveError) {
          secret = try identity.unwrap(attempt.place)
        } catch {
          closed = try Self.reason(closed, error)
          continue
        }
        guard let keys = try attempt.unwrap(secret.secret, archiveID: header.facts.archiveID) else {
          guard !secret.mustOpen else { throw .forged(.slot(attempt.place.number)) }
          if let reason = secret.otherwise { closed = try Self.reason(closed, reason) }
          continue
        }
        opened[attempt.place.number] = NewSlot(secret.again, opening: attempt.slot.mask)
        for (scope, root) in zip(attempt.slot.mask.scopes, keys) {
          if let known = roots[scope], !known.bytes.isEqualInConstantTime(to: root.bytes) {
            throw .forged(.slotsDisagree)
          }
          roots[scope] = root
        }
        break
      }
    }
    guard !opened.isEmpty else { throw closed }
    return UnlockedKeys(roots: roots, slots: opened)
  }

  /// Returns the more informative of two reasons why no slot opens.
  ///
  /// Any other error ends the reading.
  private static func reason(
    _ known: ArchiveError, _ new: ArchiveError
  ) throws(ArchiveError) -> ArchiveError {
    switch (known, new) {
    case (.tooFewShares(let first), .tooFewShares(let second)):
      // Prefer the slot with the most matching shares.
      first.members.count > second.members.count ? known : new
    case (_, .tooFewShares): new
    case (.wrongSecret, .pluginFailed): new
    case (_, .pluginFailed): known
    default: throw new
    }
  }

  private static func attempts(_ header: Header, _ secrets: UnlockingSecrets) -> [Attempt] {
    header.slots.enumerated().compactMap { index, slot in
      let place = SlotPlace(
        number: index + 1, parameters: slot.parameters, vaultID: header.facts.vaultID,
        peers: header.slots.filter { $0.type == slot.type }.map(\.parameters),
        peer: header.slots[..<index].count { $0.type == slot.type })
      let identities = slot.type.kind?.identities(secrets) ?? []
      return identities.isEmpty ? nil : Attempt(place: place, slot: slot, identities: identities)
    }
  }

  /// Checks every number that drives the key derivation before deriving.
  private static func checkDerivation(
    _ slots: [Slot], _ allowance: Limits.DerivationAllowance
  ) throws(ArchiveError) {
    let costs = slots.compactMap { $0.type.kind?.facts($0.parameters)?.cost }
    guard costs.count <= Limits.passphraseSlotsTried else { throw .overLimit(.passphraseSlots) }
    guard slots.count(where: { $0.type == .agePlugin }) <= Limits.pluginSlotsTried else {
      throw .overLimit(.pluginSlots)
    }
    var total: UInt64 = 0
    for cost in costs {
      guard allowance.memoryKiB.contains(cost.memoryKiB) else {
        throw .overLimit(.derivationMemory(kibibytes: cost.memoryKiB))
      }
      guard Limits.passes.contains(cost.passes) else { throw .overLimit(.derivationPasses(cost.passes)) }
      total += UInt64(cost.memoryKiB) * UInt64(cost.passes)
    }
    guard total <= allowance.memoryPassesKiB else { throw .overLimit(.derivationTotal) }
  }
}

extension UnlockedKeys.Attempt {
  /// Unwraps the root keys of the slot's scopes, or returns nil if the commitment does not match.
  fileprivate func unwrap(
    _ secret: SharedSecret, archiveID: [UInt8]
  ) throws(ArchiveError) -> [SharedSecret]? {
    do {
      let keys = try SlotKeys(
        type: slot.type, mask: slot.mask, parameters: slot.parameters, secret: secret.bytes,
        archiveID: archiveID)
      guard ConstantTime.areEqual(keys.commitment.span, slot.commitment.span) else { return nil }
      let joined = try XChaCha20Poly1305.openSecret(
        slot.wrapped.span, key: keys.wrappingKey, nonce: SlotKeys.zeroNonce, additionalData: [])
      var roots: [SharedSecret] = []
      for place in slot.mask.scopes.indices {
        roots.append(SharedSecret(try joined.copy(place * 32..<place * 32 + 32)))
      }
      return roots
    } catch { throw place.error(error) }
  }
}

extension StoredArchive {
  /// Whether secrets open one of the slots, at the cost of one derivation.
  ///
  /// The keys must confirm the header, which proves that its maker had them. No other part of the archive is read or
  /// trusted.
  ///
  /// - Throws: as ``IntactArchive/unlock(with:allowance:plaintextLimit:)``, except for a wrong secret.
  public func opens(with secrets: UnlockingSecrets) throws(ArchiveError) -> Bool {
    do {
      _ = try unlockScopes(with: secrets, allowance: .standard)
      return true
    } catch .wrongSecret {
      return false
    } catch .forged(.confirmation) {
      return false
    }
  }
}
