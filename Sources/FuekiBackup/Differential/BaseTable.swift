internal import FuekiArchive
internal import FuekiCrypto

/// What this machine keeps of a full archive so that differential ones can be made of it without opening it: of each
/// record of its history a key, and its identity, which names a record that is removed.
struct BaseTable: Sendable {
  /// The archive.
  let base: BaseReference
  /// When it was made, in seconds since 1970.
  let created: UInt64
  /// Its length in bytes.
  let byteCount: UInt64
  /// Whom it is sealed for.
  let slots: SlotNote
  /// What its records' keys are made with.
  let keying: RecordKeying
  /// The keys of each section's records, ascending.
  let sections: [UInt16: [RecordKey]]
  /// Reads the identities.
  let names: IdentityNames

  /// How many records it may have: beyond that its table would be no small thing to keep any more.
  static let mostRecords = 4_194_304

  /// - Throws: ``FullNeeded`` where an archive with this base is more than a quarter of it.
  func checkLength(of archive: WrittenArchive) throws(FullNeeded) {
    guard archive.byteCount <= byteCount / 4 else { throw FullNeeded(reason: .tooLarge) }
  }

  /// The keys of a section's records, ascending.
  func keys(of section: UInt16) -> [RecordKey] { sections[section] ?? [] }
}

/// Says the identities of records by their place in a section of the table.
///
/// There are as many bytes of them as of keys, and few are ever asked for.
struct IdentityNames: Sendable {
  /// An identity of more bytes is not kept: where its record is removed, a full archive is made.
  static let mostBytes = 128

  /// The identities at some places of a section's keys, which ascend; nil where one was not kept.
  let read: @Sendable (_ section: UInt16, _ places: [Int]) throws -> [[UInt8]]?
}

/// Whom an archive's slots were made for, as far as no secret is needed to say so: two archives with the same note open
/// with the same keys and guardians, and where there is a passphrase, perhaps with another.
struct SlotNote: Equatable, Sendable {
  let digest: Digest

  init(digest: Digest) { self.digest = digest }

  init(_ slots: [NewSlot]) {
    let notes = slots.map { slot in
      "\(slot.type.rawValue) \(slot.mask.scopes.map(\.rawValue)) \(slot.recipient.text ?? "")\n"
    }
    digest = SHA256.hash(Array("fueki slots\n".utf8), Array(notes.sorted().joined().utf8))
  }
}
