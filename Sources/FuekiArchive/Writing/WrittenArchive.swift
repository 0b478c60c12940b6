public import FuekiCrypto

/// An archive that has been written whole, not yet read back.
public struct WrittenArchive: Sendable {
  /// The digest that names the archive.
  public let digest: Digest
  /// What its header says.
  public let facts: HeaderFacts
  /// The types of its slots, in order.
  public let slotTypes: [SlotType]
  /// Of each slot, whether who records the archive cannot open it with a quantum computer of a later day; of a
  /// plugin's, as the plugin said when it made the slot.
  public let slotsForTheLongTerm: [Bool]
  /// The file's length.
  public let byteCount: UInt64
  /// The checksum of everything in the bundle.
  public let bundleChecksum: Digest
  /// What it holds, the manifest included, in ascending id.
  public let sections: [SectionSummary]
  /// Of a differential archive, what its history opens with, to be read back; nil of a full one.
  let historyKeys: ScopeKeys?
  /// Of a differential archive, how many records the sections of the history have together with the base; nil of a full
  /// one.
  package var resultCounts: [UInt16: UInt64]?

  /// How many records each section has, the manifest included; of a differential archive together with its base.
  public var recordCounts: [UInt16: UInt64] {
    var counts: [UInt16: UInt64] = [:]
    for section in sections where resultCounts == nil || !(32...62).contains(section.id) {
      counts[section.id] = section.records
    }
    return counts.merging(resultCounts ?? [:]) { $1 }
  }
}

/// What a stream's index says of one section.
public struct SectionSummary: Hashable, Sendable {
  /// The section's id (fueki-archive(5), SECTIONS).
  public let id: UInt16
  /// How many records it has.
  public let records: UInt64
  /// The length of its plaintext in bytes.
  public let plaintextBytes: UInt64
  /// SHA-256 of its plaintext; of a section that was put together from two files, the digest of the set of its records.
  public let digest: Digest

  /// What a differential archive announces of a section; its plaintext is at most that of both files.
  init(_ change: SectionChange, plaintextBytes: UInt64) {
    id = change.section
    records = change.records
    self.plaintextBytes = plaintextBytes
    digest = change.setDigest
  }

  init(_ section: StreamIndex.Section) {
    id = section.id
    records = section.records
    plaintextBytes = section.plaintextBytes
    digest = section.digest
  }
}
