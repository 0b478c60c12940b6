internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

extension OpenArchive {
  /// Writes all that the archive holds into another file, under fresh keys.
  ///
  /// The archive is open whole, and its contents have been checked.
  func reseal(
    to file: ArchiveFile, draft: ArchiveDraft, slots: [NewSlot], signers: Set<Ed25519.PublicKey>,
    progress: (BackupProgress) throws -> Void
  ) throws -> WrittenArchive {
    guard var decoded = try decodedManifest()?.manifest else { throw ArchiveError.forged(.manifest) }
    decoded.name(signers: signers)
    let manifest: [UInt8] = try decoded.serializedBytes()
    try progress(.sealing)
    var draft = draft
    // Its blocks are carried over, and a program that reads this archive will read the other.
    draft.suite = facts.suite
    var writer = try ArchiveWriter(to: file, draft: draft, slots: slots, manifestByteCount: manifest.count)
    for section in sections where section.id != Section.manifest.rawValue {
      if let known = Section(rawValue: section.id) { try progress(.writing(known, records: 0, of: 0)) }
      if section.id == Section.keyShares.rawValue {
        try resealShares(to: &writer)
      } else {
        try writer.carry(section: section.id, from: self)
      }
    }
    return try writer.finish(manifest: manifest)
  }

  /// A share's record is kept as it is, but for the bytes that were sealed under a key of the old file.
  private func resealShares(to writer: inout ArchiveWriter) throws {
    var batch = RecordBatch()
    try readSecretSection(Section.keyShares.rawValue) { message in
      let bytes = message.indices.map { message[$0] }
      guard var share = try? KeyShare(serializedBytes: bytes), share.id.count == 16 else {
        throw RecordsError.malformedRecord(section: Section.keyShares.name)
      }
      let id = [UInt8](share.id)
      let secret = try open(share: [UInt8](share.sealed), id: id)
      share.sealed = Data(try writer.seal(share: secret, id: id))
      let record: [UInt8] = try share.serializedBytes()
      batch.append(record)
    }
    let source = SingleBatch(batch)
    try writer.write(section: Section.keyShares.rawValue) { source.take() }
  }
}
