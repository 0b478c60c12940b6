internal import FuekiCrypto

/// The index entry of the section being written.
struct SectionEntry: ~Copyable {
  let id: UInt16
  private var digest = SHA256()
  private var records: UInt64 = 0
  private var plaintextBytes: UInt64 = 0
  private var blocks: [StreamIndex.Block] = []

  init(id: UInt16) { self.id = id }

  mutating func add(plaintext: Span<UInt8>, records count: UInt64) {
    digest.update(plaintext)
    plaintextBytes += UInt64(plaintext.count)
    records += count
  }

  mutating func add(_ block: StreamIndex.Block) { blocks.append(block) }

  /// Returns the entry, or nil if the section is empty: a section has at least one record.
  consuming func finish() -> StreamIndex.Section? {
    guard records > 0 else { return nil }
    return StreamIndex.Section(
      id: id, records: records, plaintextBytes: plaintextBytes, digest: digest.finalize(), blocks: blocks)
  }
}
