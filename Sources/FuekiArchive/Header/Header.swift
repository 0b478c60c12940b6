public import FuekiCrypto

/// The decoded header: facts, slots and confirmations, with the bytes covered by the transcript.
package struct Header: Equatable {
  let minor: UInt16
  let facts: HeaderFacts
  let slots: [Slot]
  let confirmations: [UInt8]
  let transcript: Digest
  let unknownFields: [UInt16]

  func confirmation(of scope: ArchiveScope) -> [UInt8] {
    let start = (Int(scope.rawValue) - 1) * 32
    return Array(confirmations[start..<start + 32])
  }
}

/// The facts in an archive's header that anyone can read (fueki-archive(5), HEADER).
public struct HeaderFacts: Equatable, Sendable {
  /// The algorithms of the archive.
  public let suite: Suite
  /// 32 random bytes, fresh in every file.
  package let archiveID: [UInt8]
  /// The archive's vault.
  public let vaultID: VaultID
  /// 1 for a vault's first archive, then one more than the previous archive's.
  public let sequence: UInt64
  /// The archive digest of the archive with the previous sequence; zeros if there is none or it is unknown.
  public let previous: Digest
  /// Seconds since 1970-01-01T00:00:00Z.
  public let created: UInt64
  /// The signer's public key, or nil in an unsigned archive.
  public let signer: Ed25519.PublicKey?
  /// The base of a differential archive; nil in a full one.
  public let base: BaseReference?
  /// Whether the signature covers the seals; false if unsigned, or signed by version 0.2.0 or earlier.
  public let signatureCoversSeals: Bool

  /// Creates a writer's facts.
  ///
  /// The signature of every archive signed now covers the seals.
  package init(
    archiveID: [UInt8], vaultID: VaultID, sequence: UInt64, previous: Digest, created: UInt64,
    signer: Ed25519.PublicKey?, suite: Suite = .columns, base: BaseReference? = nil
  ) {
    self.suite = suite
    self.archiveID = archiveID
    self.vaultID = vaultID
    self.sequence = sequence
    self.previous = previous
    self.created = created
    self.signer = signer
    self.base = base
    signatureCoversSeals = signer != nil
  }
}

/// The header's tags.
///
/// Bit 15 marks a field that every reader must know.
enum HeaderTag: UInt16, CaseIterable {
  case suite = 0x8001
  case archiveID = 0x8002
  case vaultID = 0x8003
  case sequence = 0x8004
  case previous = 0x8005
  case created = 0x8006
  case signer = 0x8007
  case slots = 0x8008
  case confirmations = 0x8009
  // 0x800A is an unknown field in released test vectors.
  case base = 0x800B
  case coveredSeals = 0x800C

  static func isCritical(_ tag: UInt16) -> Bool { tag & 0x8000 != 0 }

  /// Whether the field is mandatory.
  var isRequired: Bool {
    switch self {
    case .signer, .base, .coveredSeals: false
    default: true
    }
  }

  /// The field's length if it is fixed.
  var byteCount: Int? {
    switch self {
    case .suite: 2
    case .archiveID, .previous: 32
    case .signer: Ed25519.PublicKey.byteCount
    case .vaultID: VaultID.byteCount
    case .sequence, .created: 8
    case .confirmations: 96
    case .base: BaseReference.byteCount
    case .coveredSeals: 0
    case .slots: nil
    }
  }
}

/// The algorithms of an archive.
public enum Suite: UInt16, Sendable {
  /// Blocks are stored plain or compressed.
  case rows = 1
  /// Blocks can also be compressed by columns.
  case columns = 3
}

extension Header {
  /// Reads the fields of a header whose digest matches: step 2 of fueki-archive(5), in its order.
  ///
  /// - Parameter bytes: the header without its digest, bytes 0..<16+L.
  /// - Throws: ``ArchiveError/tooNew(_:)`` for an unknown version, suite or critical field;
  ///   ``ArchiveError/overLimit(_:)`` for too many slots; ``ArchiveError/forged(_:)`` for any other broken
  ///   rule.
  package init(decoding bytes: [UInt8]) throws(ArchiveError) {
    var reader = ByteReader(bytes)
    let fields: [RawField]
    do {
      _ = try reader.bytes(8)
      let major = try reader.u16()
      minor = try reader.u16()
      guard major == Layout.major else {
        throw major > Layout.major ? ArchiveError.tooNew(.major(major)) : .forged(.version)
      }
      guard try reader.u32() == UInt32(exactly: reader.remaining) else {
        throw ArchiveError.forged(.headerFields)
      }
      fields = try RawField.all(in: &reader)
    } catch let error as ArchiveError {
      throw error
    } catch { throw .forged(.headerFields) }

    for field in fields where field.known == nil && HeaderTag.isCritical(field.tag) {
      throw .tooNew(.field(tag: field.tag))
    }
    var values: [HeaderTag: [UInt8]] = [:]
    for field in fields {
      guard let tag = field.known else { continue }
      values[tag] = field.value
    }
    if let suite = values[.suite], suite.count == 2 {
      let number = UInt16(suite[0]) | UInt16(suite[1]) << 8
      guard Suite(rawValue: number) != nil else { throw .tooNew(.suite(number)) }
    }
    for tag in HeaderTag.allCases {
      guard let value = values[tag] else {
        guard !tag.isRequired else { throw .forged(.headerFields) }
        continue
      }
      guard tag.byteCount == nil || tag.byteCount == value.count else { throw .forged(.headerFields) }
    }

    facts = try HeaderFacts(values: values)
    slots = try Slot.decodeAll(values[.slots] ?? [])
    confirmations = values[.confirmations] ?? []
    unknownFields = fields.filter { $0.known == nil }.map(\.tag)
    transcript = Self.transcript(
      prefix: Array(bytes[..<Layout.prefixBytes]),
      fields: fields.filter { $0.known != .confirmations }.flatMap(\.encoded))
  }

  /// Returns T, the digest to which every key of the archive is bound.
  static func transcript(prefix: [UInt8], fields: [UInt8]) -> Digest {
    SHA256.hash(.label("fueki/1 transcript"), prefix, fields)
  }
}

/// A field before interpretation: tag, length, value.
package struct RawField {
  let tag: UInt16
  let value: [UInt8]
  var known: HeaderTag? { HeaderTag(rawValue: tag) }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: tag)
    bytes.append(littleEndian: UInt32(value.count))
    return bytes + value
  }

  /// Reads all fields to the end.
  ///
  /// The tags must strictly ascend.
  package static func all(in reader: inout ByteReader) throws -> [RawField] {
    var fields: [RawField] = []
    while reader.remaining > 0 {
      let tag = try reader.u16()
      let length = try reader.u32()
      guard let count = Int(exactly: length), fields.last.map({ $0.tag < tag }) ?? true else {
        throw ByteReader.Exhausted()
      }
      fields.append(RawField(tag: tag, value: try reader.bytes(count)))
    }
    return fields
  }
}

extension HeaderFacts {
  fileprivate init(values: [HeaderTag: [UInt8]]) throws(ArchiveError) {
    func integer(_ tag: HeaderTag) -> UInt64 {
      (values[tag] ?? []).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard let previous = Digest(bytes: values[.previous] ?? []),
      let vaultID = VaultID(bytes: values[.vaultID] ?? []),
      let suite = Suite(rawValue: UInt16(truncatingIfNeeded: integer(.suite)))
    else { throw .forged(.headerFields) }
    self.suite = suite
    archiveID = values[.archiveID] ?? []
    self.vaultID = vaultID
    sequence = integer(.sequence)
    self.previous = previous
    created = integer(.created)
    signer = values[.signer].flatMap { Ed25519.PublicKey(bytes: $0) }
    base = values[.base].flatMap(BaseReference.init(decoding:))
    signatureCoversSeals = values[.coveredSeals] != nil
    guard !signatureCoversSeals || values[.signer] != nil else { throw .forged(.headerFields) }
    guard sequence > 0, sequence > 1 || previous == .zero else { throw .forged(.headerFields) }
    guard base?.canBeBase(ofSequence: sequence, previous: previous) ?? true else { throw .forged(.base) }
  }
}
