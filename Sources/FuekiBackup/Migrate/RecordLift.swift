public import FuekiArchive
public import FuekiWallet

/// The steps from an archive's version of the records to this program's, applied while records stream by.
public struct RecordLift: Sendable {
  let steps: [RecordMigration]

  /// Whether any step has something to do with a section's records.
  public func touches(_ section: Section) -> Bool { steps.contains { $0.touches(section) } }

  /// A record's message after all steps.
  func apply(to message: [UInt8], of section: Section) throws -> [UInt8] {
    try steps.reduce(message) { try $1.apply(to: $0, of: section) }
  }

  /// A block with its records after all steps, in their order.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  public func apply(to block: RecordBlock, of section: Section) throws -> RecordBlock {
    guard touches(section) else { return block }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(block.bytes.count + block.bytes.count / 4)
    var messages: [Range<Int>] = []
    do {
      for message in block.messages {
        let lifted = try apply(to: Array(block.bytes[message]), of: section)
        try RecordFraming.append(lifted, to: &bytes)
        messages.append(bytes.count - lifted.count..<bytes.count)
      }
    } catch {
      throw RecordsError.malformedRecord(section: section.name)
    }
    return RecordBlock(bytes: bytes, messages: messages)
  }
}

extension UnlockedArchive {
  /// Returns the lift from the archive's records to this program's version.
  ///
  /// Nil if none is needed, or if the manifest, which states the version, is missing.
  ///
  /// - Throws: ``RecordsError/newerRecords(schema:)``, ``RecordsError/malformedRecord(section:)``, or errors from
  ///   reading.
  public func recordLift() throws -> RecordLift? {
    try decodedManifest().flatMap { try RecordSchema.lift(from: $0.manifest.schema) }
  }
}
