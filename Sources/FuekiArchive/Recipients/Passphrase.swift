public import FuekiCrypto

extension SlotType {
  /// A passphrase.
  public static let passphrase = SlotType(rawValue: 1)
}

extension SlotKind {
  /// Type 1: Argon2id of a passphrase.
  static let passphrase = SlotKind(
    type: .passphrase, name: "passphrase", isForTheLongTerm: true, holder: .secret,
    advice: SlotAdvice(
      opener: "a passphrase", note: "passphrase, by hand", option: nil, asksForPassphrase: true),
    facts: { PassphraseParameters($0).map { SlotFacts(cost: $0.cost) } },
    identities: { $0.passphrases.map(PassphraseIdentity.init) })
}

/// Parameters of slot types 1 and 2: a 16-byte salt and the cost of Argon2id.
struct PassphraseParameters: Equatable {
  let salt: [UInt8]
  let cost: Argon2id.Cost

  init(salt: [UInt8], cost: Argon2id.Cost) {
    self.salt = salt
    self.cost = cost
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do {
      salt = try reader.bytes(16)
      cost = Argon2id.Cost(memoryKiB: try reader.u32(), passes: try reader.u32())
      try reader.finish()
    } catch { return nil }
  }

  var encoded: [UInt8] {
    var bytes = salt
    bytes.append(littleEndian: cost.memoryKiB)
    bytes.append(littleEndian: cost.passes)
    return bytes
  }

  func derive(_ passphrase: SharedSecret) throws(CryptoError) -> SharedSecret {
    SharedSecret(try Argon2id.derive(from: passphrase.bytes, salt: salt, cost: cost))
  }
}

private struct PassphraseRecipient: Recipient {
  let passphrase: SharedSecret
  let derivation: Argon2id.Cost
  var type: SlotType { .passphrase }
  var text: String? { nil }
  var cost: Argon2id.Cost? { derivation }
  var opener: UnlockingSecrets? { UnlockingSecrets(passphrases: [passphrase]) }

  func wrap(_ randomness: RandomSource) throws(CryptoError) -> WrappingSecret {
    let parameters = PassphraseParameters(salt: try randomness.bytes(16), cost: derivation)
    return WrappingSecret(parameters: parameters.encoded, secret: try parameters.derive(passphrase))
  }
}

private struct PassphraseIdentity: Identity {
  let passphrase: SharedSecret

  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret {
    guard let parameters = PassphraseParameters(slot.parameters) else { throw slot.unreadable }
    return try slot.derive { () throws(CryptoError) in
      UnwrappingSecret(
        secret: try parameters.derive(passphrase),
        again: PassphraseRecipient(passphrase: passphrase, derivation: parameters.cost))
    }
  }
}

extension NewSlot {
  /// Creates a slot for a passphrase.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - cost: the cost of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request, with nothing derived yet.
  public static func passphrase(
    _ passphrase: SharedSecret, cost: Argon2id.Cost, opening mask: ScopeMask = .all
  ) -> NewSlot {
    NewSlot(PassphraseRecipient(passphrase: passphrase, derivation: cost), opening: mask)
  }
}
