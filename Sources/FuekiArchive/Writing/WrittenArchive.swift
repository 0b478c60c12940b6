public import FuekiCrypto

/// A completely written archive, not yet read back.
public struct WrittenArchive: Sendable {
  /// The archive's digest.
  public let digest: Digest
  /// The header's facts.
  public let facts: HeaderFacts
  /// The types of its slots, in order.
  let slotTypes: [SlotType]
  /// For each slot, whether it withstands future quantum computers in the hands of someone who records the
  /// archive.
  ///
  /// For a plugin's slot, as the plugin stated when it created the slot.
  public let slotsForTheLongTerm: [Bool]
  /// The file's length.
  public let byteCount: UInt64
  /// The checksum of the bundle's contents.
  public let bundleChecksum: Digest
  /// The sections, including the manifest, in ascending id.
  public let sections: [SectionSummary]
  /// The keys to read a differential archive's history back; nil for a full archive.
  let historyKeys: ScopeKeys?
  /// The record counts of a differential archive's history, joined with its base; nil for a full archive.
  package var resultCounts: [UInt16: UInt64]?

  /// The record count of each section, including the manifest.
  ///
  /// A differential archive is joined with its base.
  public var recordCounts: [UInt16: UInt64] {
    var counts: [UInt16: UInt64] = [:]
    for section in sections where resultCounts == nil || !(32...62).contains(section.id) {
      counts[section.id] = section.records
    }
    return counts.merging(resultCounts ?? [:]) { $1 }
  }
}
