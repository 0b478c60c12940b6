internal import FuekiCrypto

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
