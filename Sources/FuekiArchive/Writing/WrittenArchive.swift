public import FuekiCrypto

/// An archive that has been written whole, not yet read back.
public struct WrittenArchive: Sendable {
  /// The digest that names the archive.
  public let digest: Digest
  /// What its header says.
  public let facts: HeaderFacts
  /// The file's length.
  public let byteCount: UInt64
  /// The checksum of everything in the bundle.
  public let bundleChecksum: Digest
  /// What it holds, the manifest included, in ascending id.
  public let sections: [SectionSummary]
}

/// What a stream's index says of one section.
public struct SectionSummary: Hashable, Sendable {
  /// The section's id (FORMAT.md section 7).
  public let id: UInt16
  /// How many records it has.
  public let records: UInt64
  /// The length of its plaintext in bytes.
  public let plaintextBytes: UInt64
  /// SHA-256 of its plaintext.
  public let digest: Digest

  init(_ section: StreamIndex.Section) {
    id = section.id
    records = section.records
    plaintextBytes = section.plaintextBytes
    digest = section.digest
  }
}

/// The manifest's record as this module sees it: three digests in fields 1, 2 and 3, and the rest opaque.
enum ManifestRecord {
  private static let digestFieldBytes = 34

  static func byteCount(body: Int) -> Int { 3 * digestFieldBytes + body }

  static func encode(digests: [[UInt8]], body: [UInt8]) -> [UInt8] {
    var record: [UInt8] = []
    for (number, digest) in digests.enumerated() {
      record += [UInt8((number + 1) << 3 | 2), 32] + digest
    }
    return record + body
  }

  /// The three digests and the rest of the record, or nil where the fields 1, 2 and 3 do not stand once each.
  static func decode(_ record: [UInt8]) -> (digests: [[UInt8]], body: [UInt8])? {
    guard record.count >= byteCount(body: 0) else { return nil }
    var digests: [[UInt8]] = []
    for number in 0..<3 {
      let start = number * digestFieldBytes
      guard record[start] == UInt8((number + 1) << 3 | 2), record[start + 1] == 32 else { return nil }
      digests.append(Array(record[start + 2..<start + digestFieldBytes]))
    }
    return (digests, Array(record[byteCount(body: 0)...]))
  }
}
