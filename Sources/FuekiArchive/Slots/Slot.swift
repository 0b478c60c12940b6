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
