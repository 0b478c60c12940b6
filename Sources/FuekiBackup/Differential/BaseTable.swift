internal import FuekiArchive
internal import FuekiCrypto

/// This machine's table of a full archive, to make differential archives without opening it.
///
/// Each record of its history has a key and an identity, which identifies a removed record.
struct BaseTable: Sendable {
  /// The archive.
  let base: BaseReference
  /// When it was made, in seconds since 1970.
  let created: UInt64
  /// Its length in bytes.
  let byteCount: UInt64
  /// The recipients of the base.
  let slots: SlotNote
  /// The keying of its record keys.
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
