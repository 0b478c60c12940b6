internal import FuekiCrypto

/// Parameters of slot type 4: the threshold, count and identifier are judged whether or not the slot is tried.
struct GuardianParameters: Equatable {
  let ephemeral: [UInt8]
  let threshold: Int
  let identifier: UInt16
  let shareTags: [[UInt8]]

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do {
      ephemeral = try reader.bytes(X25519.byteCount)
      threshold = Int(try reader.u8())
      let count = Int(try reader.u8())
      identifier = try reader.u16()
      var tags: [[UInt8]] = []
      for _ in 0..<count { tags.append(try reader.bytes(GuardianSet.tagByteCount)) }
      shareTags = tags
      try reader.finish()
      guard GuardianSet.isInRange(threshold: threshold, count: count, identifier: identifier) else {
        return nil
      }
    } catch { return nil }
  }

  func guardians(publicKey: [UInt8]) -> GuardianSet? {
    GuardianSet(publicKey: publicKey, threshold: threshold, identifier: identifier, shareTags: shareTags)
  }

  static func encoded(_ guardians: GuardianSet, ephemeral: [UInt8]) -> [UInt8] {
    var bytes = ephemeral + [UInt8(guardians.threshold), UInt8(guardians.shareTags.count)]
    bytes.append(littleEndian: guardians.identifier)
    return bytes + guardians.shareTags.flatMap(\.self)
  }
}

extension SlotFormat {
  /// Type 4: an X25519 key pair whose private key was split among guardians.
  static let guardians = SlotFormat(
    type: .guardians, name: "guardians",
    accepts: { GuardianParameters($0) != nil },
    cost: { _ in nil },
    derivations: { place, given in
      GuardiansOpening(place).map { $0.derivations(given) } ?? []
    })
}

/// A guardians slot that is being opened.
private struct GuardiansOpening {
  let parameters: GuardianParameters
  let place: SlotPlace

  init?(_ place: SlotPlace) {
    guard let parameters = GuardianParameters(place.parameters) else { return nil }
    self.parameters = parameters
    self.place = place
  }

  /// A key that was combined by hand is an identity like any other.
  func derivations(_ given: UnlockingSecrets) -> [SlotFormat.Derivation] {
    var derivations: [SlotFormat.Derivation] = given.identities
      .filter { $0.bytes.count == X25519.byteCount }
      .map { identity in { secret(identity) } }
    if !given.guardianShares.isEmpty {
      let gathered = GatheredShares(given.guardianShares, for: parameters, place)
      derivations.append { gathered.combined().flatMap { secret($0, mustOpen: true) } }
    }
    return derivations
  }

  private func secret(_ key: SharedSecret, mustOpen: Bool = false) -> Result<SlotSecret, ArchiveError> {
    place.derive { () throws(CryptoError) in
      let publicKey = try X25519.publicKey(of: key.bytes)
      guard let guardians = parameters.guardians(publicKey: publicKey) else { throw .invalidKey }
      return SlotSecret(
        secret: try RecipientSecret.opening(key, ephemeral: parameters.ephemeral),
        again: .guardians(guardians, opening: place.mask), mustOpen: mustOpen)
    }
  }
}

extension NewSlot {
  /// A slot that enough guardians open together.
  ///
  /// - Parameters:
  ///   - guardians: their public side; the private key is with nobody.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request.
  public static func guardians(_ guardians: GuardianSet, opening mask: ScopeMask = .all) -> NewSlot {
    NewSlot(type: .guardians, mask: mask) { randomness throws(CryptoError) in
      let (ephemeral, secret) = try RecipientSecret.sealing(to: guardians.publicKey, randomness)
      return (GuardianParameters.encoded(guardians, ephemeral: ephemeral), secret)
    }
  }
}
