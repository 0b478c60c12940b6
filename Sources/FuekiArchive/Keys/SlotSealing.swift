public import FuekiCrypto

/// A slot to make: which scopes it opens, and with which secret.
public struct NewSlot: Sendable {
  let mask: ScopeMask
  let secret: Secret

  enum Secret {
    case passphrase(SharedSecret, Argon2id.Cost)
    case derivedEarly(EarlyDerivation)
  }

  /// A slot that a passphrase opens.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - cost: of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request, which costs no derivation yet.
  public static func passphrase(
    _ passphrase: SharedSecret, cost: Argon2id.Cost, opening mask: ScopeMask = .all
  ) -> NewSlot {
    NewSlot(mask: mask, secret: .passphrase(passphrase, cost))
  }

  /// A slot that a passphrase opens, for one archive: its derivation begins here, on a thread of its own.
  ///
  /// - Parameters:
  ///   - passphrase: normalised to NFKC, 1…1024 bytes.
  ///   - cost: of Argon2id, within ``Limits``; checked when an archive is written.
  ///   - mask: the scopes that the slot opens.
  /// - Returns: a request whose derivation is under way.
  public static func derivingEarly(
    _ passphrase: SharedSecret, cost: Argon2id.Cost, opening mask: ScopeMask = .all
  ) -> NewSlot {
    NewSlot(mask: mask, secret: .derivedEarly(EarlyDerivation(passphrase, cost: cost)))
  }
}

extension NewSlot {
  /// Holds what is to be written to the limits that readers have.
  static func check(_ slots: [NewSlot]) throws(BundleError) {
    guard Limits.slots.contains(slots.count) else { throw .slotCount(slots.count) }
    let costs = slots.compactMap(\.cost)
    guard costs.count <= Limits.passphraseSlotsTried else { throw .slotCount(slots.count) }
    for cost in costs {
      let isWithin =
        Limits.DerivationAllowance.large.memoryKiB.contains(cost.memoryKiB)
        && Limits.passes.contains(cost.passes)
      guard isWithin else { throw .derivationCost(cost) }
    }
  }

  private var cost: Argon2id.Cost? {
    switch secret {
    case .passphrase(_, let cost): cost
    case .derivedEarly(let derivation): derivation.parameters.cost
    }
  }
}

extension Slot {
  /// Wraps the root keys of the request's scopes under its secret.
  static func seal(
    _ request: NewSlot, archiveID: [UInt8], roots: [ArchiveScope: SharedSecret], randomness: RandomSource
  ) throws(CryptoError) -> Slot {
    switch request.secret {
    case .passphrase(let passphrase, let cost):
      let parameters = PassphraseParameters(salt: try randomness.bytes(16), cost: cost)
      let secret = try Argon2id.derive(from: passphrase.bytes, salt: parameters.salt, cost: cost)
      return try seal(
        type: .passphrase, mask: request.mask, parameters: parameters.encoded, secret: secret,
        archiveID: archiveID, roots: roots)
    case .derivedEarly(let derivation):
      let secret = try derivation.secret()
      return try seal(
        type: .passphrase, mask: request.mask, parameters: derivation.parameters.encoded,
        secret: secret.bytes, archiveID: archiveID, roots: roots)
    }
  }

  private static func seal(
    type: SlotType, mask: ScopeMask, parameters: [UInt8], secret: borrowing SecretBytes, archiveID: [UInt8],
    roots: [ArchiveScope: SharedSecret]
  ) throws(CryptoError) -> Slot {
    let keys = try SlotKeys(
      type: type, mask: mask, parameters: parameters, secret: secret, archiveID: archiveID)
    var joined = try SecretBytes(count: 32 * mask.scopes.count)
    joined.withMutableBytes { target in
      for (place, scope) in mask.scopes.enumerated() {
        roots[scope]?.bytes.withBytes { root in
          for i in 0..<32 { target[place * 32 + i] = root[i] }
        }
      }
    }
    let wrapped = try joined.withBytes { (bytes) throws(CryptoError) in
      try XChaCha20Poly1305.seal(
        bytes, key: keys.wrappingKey, nonce: SlotKeys.zeroNonce, additionalData: [])
    }
    return Slot(
      type: type, mask: mask, parameters: parameters, commitment: keys.commitment, wrapped: wrapped)
  }
}

/// What a slot's secret gives: a wrapping key and a commitment to it.
struct SlotKeys: ~Copyable {
  /// Safe because the archive id, fresh in every file, salts the wrapping key, and no two slots of a file share
  /// their parameters (FORMAT.md section 5).
  static let zeroNonce = [UInt8](repeating: 0, count: 24)

  let wrappingKey: SecretBytes
  let commitment: [UInt8]

  init(
    type: SlotType, mask: ScopeMask, parameters: [UInt8], secret: borrowing SecretBytes, archiveID: [UInt8]
  ) throws(CryptoError) {
    let prk = try HKDF.extract(salt: archiveID, ikm: secret)
    let okm = try HKDF.expand(
      prk: prk, info: .label("fueki/1 slot") + [type.rawValue, mask.rawValue] + parameters, count: 64)
    wrappingKey = try okm.copy(0..<32)
    commitment = okm.withBytes { bytes in (32..<64).map { bytes[$0] } }
  }
}
