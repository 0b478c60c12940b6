internal import FuekiCrypto

/// One way to open an archive: a secret's parameters, a commitment, and the root keys wrapped under it
/// (FORMAT.md section 5).
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

  /// Reads the slots field.
  ///
  /// Slots of an unknown type keep their place, with no parameters.
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
      // The zero nonce is safe only because no two slots share their parameters.
      let isFresh = !slot.type.isKnown || !slots.contains { $0.parameters == slot.parameters }
      guard isFresh else { throw .forged(.slot(index + 1)) }
      slots.append(slot)
    }
    return slots
  }
}

/// A slot as it stands, before its numbers are judged.
private struct RawSlot {
  let type: SlotType
  let mask: UInt8
  let body: [UInt8]

  init(_ reader: inout ByteReader) throws(ByteReader.Exhausted) {
    type = SlotType(rawValue: try reader.u8())
    mask = try reader.u8()
    body = try reader.bytes(Int(try reader.u16()))
  }

  /// The slot, or nil where its mask, its length or its numbers are not those of its type.
  var judged: Slot? {
    guard let mask = ScopeMask(rawValue: mask) else { return nil }
    guard type.isKnown else {
      return Slot(type: type, mask: mask, parameters: [], commitment: [], wrapped: [])
    }
    let wrappedBytes = Slot.wrappedByteCount(mask)
    let parameterBytes = body.count - Slot.commitmentByteCount - wrappedBytes
    guard parameterBytes >= 0 else { return nil }
    let parameters = Array(body[..<parameterBytes])
    guard type.accepts(parameters) else { return nil }
    return Slot(
      type: type, mask: mask, parameters: parameters,
      commitment: Array(body[parameterBytes..<body.count - wrappedBytes]),
      wrapped: Array(body.suffix(wrappedBytes)))
  }
}

/// The kinds of slot.
///
/// An unknown one is skipped and named.
public enum SlotType: Hashable, Sendable {
  case passphrase
  case passphraseAndKeyFile
  case x25519
  case guardians
  case unknown(UInt8)

  init(rawValue: UInt8) {
    self =
      switch rawValue {
      case 1: .passphrase
      case 2: .passphraseAndKeyFile
      case 3: .x25519
      case 4: .guardians
      default: .unknown(rawValue)
      }
  }

  var rawValue: UInt8 {
    switch self {
    case .passphrase: 1
    case .passphraseAndKeyFile: 2
    case .x25519: 3
    case .guardians: 4
    case .unknown(let value): value
    }
  }

  /// The type's name, as people and scripts read it.
  public var name: String {
    switch self {
    case .passphrase: "passphrase"
    case .passphraseAndKeyFile: "passphrase-and-key-file"
    case .x25519: "x25519"
    case .guardians: "guardians"
    case .unknown(let value): "unknown-\(value)"
    }
  }

  var isKnown: Bool {
    if case .unknown = self { return false }
    return true
  }

  /// Whether `parameters` has this type's length, and a guardians slot's numbers are in range.
  func accepts(_ parameters: [UInt8]) -> Bool {
    switch self {
    case .passphrase, .passphraseAndKeyFile: parameters.count == PassphraseParameters.byteCount
    case .x25519: parameters.count == 32
    case .guardians: GuardianParameters(parameters) != nil
    case .unknown: true
    }
  }
}

/// Parameters of slot types 1 and 2.
struct PassphraseParameters: Equatable {
  static let byteCount = 24
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
}

/// Parameters of slot type 4: the threshold, count and identifier are judged whether or not the slot is tried.
struct GuardianParameters: Equatable {
  let ephemeral: [UInt8]
  let threshold: Int
  let identifier: UInt16
  let shareTags: [[UInt8]]

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    do {
      ephemeral = try reader.bytes(32)
      threshold = Int(try reader.u8())
      let count = Int(try reader.u8())
      identifier = try reader.u16()
      guard threshold >= 2, threshold <= count, count <= 16, identifier < 1 << 15 else { return nil }
      var tags: [[UInt8]] = []
      for _ in 0..<count { tags.append(try reader.bytes(4)) }
      shareTags = tags
      try reader.finish()
    } catch { return nil }
  }
}
