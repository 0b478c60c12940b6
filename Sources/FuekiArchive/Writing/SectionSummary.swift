public import FuekiCrypto

/// A section's entry in a stream's index.
public struct SectionSummary: Hashable, Sendable {
  /// The section's id (fueki-archive(5), SECTIONS).
  public let id: UInt16
  /// The number of its records.
  public let records: UInt64
  /// The length of its plaintext in bytes.
  public let plaintextBytes: UInt64
  /// The SHA-256 of its plaintext or, in a joined section, the digest of the set of its records.
  public let digest: Digest

  /// Creates a summary of an announced section.
  ///
  /// Its plaintext is at most that of both files.
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
