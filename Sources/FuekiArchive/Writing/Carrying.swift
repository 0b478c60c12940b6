internal import FuekiCrypto

extension ArchiveWriter {
  /// Takes a section over from an archive that is open, block by block as they are stored.
  ///
  /// Of a history that was joined with its base's the records are written anew. Of all else, nothing is decompressed or compressed: the blocks get new keys, and no other change. Their contents are to have
  /// been checked, or what is wrong with them is taken over too.
  ///
  /// - Parameters:
  ///   - id: above the section written before; not section 64, whose records are sealed under the old keys.
  ///   - archive: has the section's scope open; a section that it does not hold is passed over.
  /// - Throws: ``BundleError/sectionOrder(_:)``, ``ArchiveError`` where a chunk does not open, and what writing throws.
  public mutating func carry(section id: UInt16, from archive: OpenArchive) throws {
    guard archive.streams.joinedSection(id) == nil else {
      try merge(section: id, from: archive)
      return
    }
    guard let part = archive.streams.locate(id) else { return }
    let (opening, section, offset) = (part.opening, part.section, part.offset)
    let scope = try enter(id)
    var position = offset
    for block in section.blocks {
      let end = position + UInt64(block.storedBytes)
      switch scope {
      case .profile: try profile.append(block: try opening.read(position..<end), sink: &sink)
      case .history: try history?.append(block: try opening.read(position..<end), sink: &sink)
      case .secrets:
        let plaintext = try opening.readSecret(position..<end)
        try plaintext.withBytes { bytes in try secrets?.append(bytes, sink: &sink) }
      }
      position = end
    }
    sections[scope, default: []].append(section)
  }

  /// Writes a section record by record, as the archive and its base hold it together.
  private mutating func merge(section id: UInt16, from archive: OpenArchive) throws {
    let reader = archive.sectionReader(id) { block in
      var batch = RecordBatch()
      for message in block.messages { batch.append(block.bytes[message]) }
      return batch
    }
    try write(section: id) {
      guard let batch = try reader?.next() else { return nil }
      return { batch }
    }
  }
}
