internal import FuekiCrypto

/// A slot to make: which scopes it opens, and with which secret.
public struct NewSlot: Sendable {
  /// Draws what is random in the parameters, and derives the secret that goes with them.
  typealias Draw =
    @Sendable (RandomSource) throws(CryptoError) -> (parameters: [UInt8], secret: SharedSecret)

  /// The slot's type.
  public let type: SlotType
  /// The scopes that it opens.
  public let mask: ScopeMask
  let cost: Argon2id.Cost?
  let draw: Draw

  init(type: SlotType, mask: ScopeMask, cost: Argon2id.Cost? = nil, draw: @escaping Draw) {
    self.type = type
    self.mask = mask
    self.cost = cost
    self.draw = draw
  }

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
    // An archive that nobody can open whole is found out when it is needed.
    let closed = ArchiveScope.allCases.filter { scope in !slots.contains { $0.mask.scopes.contains(scope) } }
    guard closed.isEmpty else { throw .closedScopes(closed) }
  }
}

extension Slot {
  /// Wraps the root keys of the request's scopes under its secret.
  static func seal(
    _ request: NewSlot, archiveID: [UInt8], roots: [ArchiveScope: SharedSecret], randomness: RandomSource
  ) throws(CryptoError) -> Slot {
    let (parameters, secret) = try request.draw(randomness)
    let mask = request.mask
    let keys = try SlotKeys(
      type: request.type, mask: mask, parameters: parameters, secret: secret.bytes, archiveID: archiveID)
    var joined = try SecretBytes(count: 32 * mask.scopes.count)
    joined.withMutableBytes { target in
      for (place, scope) in mask.scopes.enumerated() {
        roots[scope]?.bytes.withBytes { root in
          target.write(root, at: place * 32)
        }
      }
    }
    let wrapped = try joined.withBytes { (bytes) throws(CryptoError) in
      try XChaCha20Poly1305.seal(
        bytes, key: keys.wrappingKey, nonce: SlotKeys.zeroNonce, additionalData: [])
    }
    return Slot(
      type: request.type, mask: mask, parameters: parameters, commitment: keys.commitment, wrapped: wrapped)
  }
}

/// What a slot's secret gives: a wrapping key and a commitment to it.
struct SlotKeys: ~Copyable {
  /// Safe because the archive id, fresh in every file, salts the wrapping key, and no two slots of a file share
  /// their parameters (fueki-archive(5), SLOTS).
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
