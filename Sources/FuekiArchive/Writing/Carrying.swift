internal import FuekiCrypto

extension ArchiveWriter {
  /// Copies a section from an open archive, block by block as stored.
  ///
  /// The records of a joined history are written again. Otherwise blocks are not recompressed, only sealed
  /// under new keys. Their contents must have been checked, or faults are copied too.
  ///
  /// - Parameters:
  ///   - id: above the previous section; not section 64, whose records are sealed under the old keys.
  ///   - archive: must have the section's scope open; a missing section is skipped.
  /// - Throws: ``BundleError/sectionOrder(_:)``, ``ArchiveError`` if a chunk does not open, and errors of
  ///   writing.
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

  /// Writes a joined section record by record.
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
