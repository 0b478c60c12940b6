internal import FuekiCrypto

/// A slot: a secret's parameters, a commitment, and the root keys wrapped under it (fueki-archive(5), SLOTS).
package struct Slot: Equatable {
  package let type: SlotType
  let mask: ScopeMask
  let parameters: [UInt8]
  let commitment: [UInt8]
  let wrapped: [UInt8]

  static let commitmentByteCount = 32

  static func wrappedByteCount(_ mask: ScopeMask) -> Int { 32 * mask.scopes.count + 16 }

  package var encoded: [UInt8] {
    let body = parameters + commitment + wrapped
    var bytes: [UInt8] = [type.rawValue, mask.rawValue]
    bytes.append(littleEndian: UInt16(body.count))
    return bytes + body
  }

  /// Decodes the slots field.
  ///
  /// Slots of an unknown type keep their place but have no parameters.
  package static func decodeAll(_ bytes: [UInt8]) throws(ArchiveError) -> [Slot] {
    var reader = ByteReader(bytes)
    var raw: [RawSlot] = []
    while reader.remaining > 0 {
      guard raw.count < Limits.slots.upperBound else { throw .overLimit(.slotCount) }
      do {
        raw.append(try RawSlot(&reader))
      } catch { throw .forged(.slot(raw.count + 1)) }
    }
    guard Limits.slots.contains(raw.count) else { throw .forged(.headerFields) }
    var slots: [Slot] = []
    for (index, raw) in raw.enumerated() {
      guard let slot = raw.judged else { throw .forged(.slot(index + 1)) }
      // The zero nonce is safe only if no two slots share their parameters.
      let isFresh = !slot.type.isKnown || !slots.contains { $0.parameters == slot.parameters }
      guard isFresh else { throw .forged(.slot(index + 1)) }
      slots.append(slot)
    }
    return slots
  }
}

/// A slot before its numbers are validated.
private struct RawSlot {
  let type: SlotType
  let mask: UInt8
  let body: [UInt8]

  init(_ reader: inout ByteReader) throws(ByteReader.Exhausted) {
    type = SlotType(rawValue: try reader.u8())
    mask = try reader.u8()
    body = try reader.bytes(Int(try reader.u16()))
  }

  /// The validated slot, or nil if its mask, length or numbers are invalid for its type.
  var judged: Slot? {
    guard let mask = ScopeMask(rawValue: mask) else { return nil }
    guard type.isKnown else {
      return Slot(type: type, mask: mask, parameters: [], commitment: [], wrapped: [])
    }
    let wrappedBytes = Slot.wrappedByteCount(mask)
    let parameterBytes = body.count - Slot.commitmentByteCount - wrappedBytes
    guard parameterBytes >= 0 else { return nil }
    let parameters = Array(body[..<parameterBytes])
    guard type.kind?.facts(parameters) != nil else { return nil }
    return Slot(
      type: type, mask: mask, parameters: parameters,
      commitment: Array(body[parameterBytes..<body.count - wrappedBytes]),
      wrapped: Array(body.suffix(wrappedBytes)))
  }
}

/// A request for a slot: its recipient and its scopes.
public struct NewSlot: Sendable {
  /// The recipient that can open it.
  public let recipient: any Recipient
  /// The scopes that it opens.
  public let mask: ScopeMask

  /// Creates a request for a recipient and scopes.
  public init(_ recipient: any Recipient, opening mask: ScopeMask = .all) {
    self.recipient = recipient
    self.mask = mask
  }

  /// The slot's type.
  public var type: SlotType { recipient.type }

  /// Checks requests against the limits of readers.
  static func check(_ slots: [NewSlot]) throws(BundleError) {
    guard Limits.slots.contains(slots.count) else { throw .slotCount(slots.count) }
    let costs = slots.compactMap(\.recipient.cost)
    guard costs.count <= Limits.passphraseSlotsTried else { throw .slotCount(slots.count) }
    for cost in costs {
      let isWithin =
        Limits.DerivationAllowance.large.memoryKiB.contains(cost.memoryKiB)
        && Limits.passes.contains(cost.passes)
      guard isWithin else { throw .derivationCost(cost) }
    }
    // Otherwise an unopenable scope would be noticed only at a restore.
    let closed = ArchiveScope.allCases.filter { scope in !slots.contains { $0.mask.scopes.contains(scope) } }
    guard closed.isEmpty else { throw .closedScopes(closed) }
  }
}

extension [NewSlot] {
  /// The guardians that can open the archive together; nil if there are none.
  public var guardians: GuardianSet? { lazy.compactMap { $0.recipient as? GuardianSet }.first }
}

extension Slot {
  /// Wraps the root keys of the request's scopes under its secret.
  static func seal(
    _ request: NewSlot, archiveID: [UInt8], roots: [ArchiveScope: SharedSecret], randomness: RandomSource
  ) throws -> (slot: Slot, isForTheLongTerm: Bool) {
    let drawn = try request.recipient.wrap(randomness)
    let mask = request.mask
    let keys = try SlotKeys(
      type: request.type, mask: mask, parameters: drawn.parameters, secret: drawn.secret.bytes,
      archiveID: archiveID)
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
    let slot = Slot(
      type: request.type, mask: mask, parameters: drawn.parameters, commitment: keys.commitment,
      wrapped: wrapped)
    return (slot, drawn.isForTheLongTerm ?? request.type.isForTheLongTerm)
  }
}

/// A wrapping key derived from a slot's secret, and a commitment to it.
struct SlotKeys: ~Copyable {
  /// A nonce of zeros, which is safe because every wrapping key seals only once.
  ///
  /// The archive id, fresh in every file, salts the key, and no two slots of a file share their parameters
  /// (fueki-archive(5), SLOTS).
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
