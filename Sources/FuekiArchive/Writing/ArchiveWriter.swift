internal import FuekiSystem
public import FuekiCrypto

/// Writes an archive in one pass and bounded memory: sections in ascending order, then the manifest.
///
/// Workers compress and seal. The caller's thread packs, hashes and does all file output.
public struct ArchiveWriter: ~Copyable {
  private let file: ArchiveFile
  private let draft: ArchiveDraft
  private let header: SealedHeader
  private let randomness: RandomSource
  private let manifestBytes: Int
  private let width: Int
  private let compressor: BlockCompressor
  private let compressors: OrderedWorkers<StoredBlock>
  var sink: ChunkSink
  var profile: StreamWriter
  var history: StreamWriter?
  var secrets: SecretStreamWriter?
  var sections: [ArchiveScope: [StreamIndex.Section]] = [.profile: [], .history: [], .secrets: []]
  private var chunkCounts: [UInt64] = []
  private var lastSection: UInt16 = StreamIndex.manifestID

  /// Seals the header.
  ///
  /// The keys are bound to its digest, so slots cannot be added later.
  ///
  /// - Parameters:
  ///   - file: empty, open for writing.
  ///   - draft: the header's facts.
  ///   - slots: requests for slots: 1…32, at most 4 of them for passphrases.
  ///   - manifestByteCount: the exact length of the manifest passed to ``finish(manifest:)``.
  ///   - width: the number of workers that compress, and of those that seal; nil for one per core.
  ///   - randomness: the source of keys, salts and nonces; anything but the system's is for test vectors.
  /// - Throws: ``CryptoError`` or ``PluginFailure`` if a slot cannot be sealed, ``BundleError`` if readers
  ///   would refuse the slots.
  public init(
    to file: ArchiveFile, draft: ArchiveDraft, slots: [NewSlot], manifestByteCount: Int,
    width: Int? = nil, randomness: RandomSource = .system
  ) throws {
    try NewSlot.check(slots)
    let manifestRecordBytes = Self.framed(ManifestRecord.byteCount(body: manifestByteCount))
    guard manifestRecordBytes <= Limits.recordBytes else {
      throw BundleError.recordTooLarge(bytes: manifestRecordBytes)
    }
    let header = try SealedHeader(draft, slots: slots, randomness: randomness)
    guard let profileKeys = header.keys[.profile] else { throw CryptoError.unavailable }
    try file.write(header.bytes, at: 0)
    self.file = file
    self.draft = draft
    self.header = header
    self.randomness = randomness
    let width = width ?? Processors.count
    self.width = width
    manifestBytes = manifestByteCount
    compressor = BlockCompressor(for: draft.suite)
    compressors = OrderedWorkers(width: width, window: width + 1)
    sink = ChunkSink(file: file, headerBytes: UInt64(header.bytes.count), width: width)
    profile = StreamWriter(
      keys: profileKeys, firstGlobalChunk: 0, reserving: manifestRecordBytes)
  }

  /// Writes section `id` from batches made by workers, in order, until `next` returns nil.
  public mutating func write(section id: UInt16, from next: () throws -> BatchJob?) throws {
    let scope = try enter(id)
    var entry = SectionEntry(id: id)
    var packer = BlockPacker()
    let readers = OrderedWorkers<RecordBatch>(width: width, window: width + 1)
    var more = true
    while more || !readers.isEmpty {
      while more, !readers.isFull {
        guard let job = try next() else {
          more = false
          break
        }
        readers.submit(job)
      }
      guard var batch = try readers.next() else { continue }
      try packer.add(batch) { try self.store($0, in: scope, &entry) }
      while let rest = batch.rest {
        batch = try rest()
        try packer.add(batch) { try self.store($0, in: scope, &entry) }
      }
    }
    try packer.finish { try self.store($0, in: scope, &entry) }
    while !compressors.isEmpty { try storeOldest(in: scope, &entry) }
    if let section = entry.finish() { sections[scope, default: []].append(section) }
  }

  /// Writes section `id` of the secrets scope from records that are never unsealed outside ``SecretBytes``.
  ///
  /// - Parameters:
  ///   - id: 64…95, above the previous section.
  ///   - records: calls its argument once for each framed record.
  /// - Throws: ``BundleError/sectionOrder(_:)`` for an invalid `id`, ``BundleError/recordTooLarge(bytes:)``
  ///   beyond 16 MiB, and the errors of `records`.
  public mutating func writeSecret(
    section id: UInt16, records: ((borrowing SecretBytes) throws -> Void) throws -> Void
  ) throws {
    guard try enter(id) == .secrets else { throw BundleError.sectionOrder(id) }
    var entry = SectionEntry(id: id)
    var blocks = SecretBlocks()
    try records { record in
      guard record.count <= Limits.recordBytes else { throw BundleError.recordTooLarge(bytes: record.count) }
      blocks.add(record.count) { entry.add(.stored($0)) }
      try record.withBytes { bytes in
        entry.add(plaintext: bytes, records: 1)
        try secrets?.append(bytes, sink: &sink)
      }
    }
    blocks.finish { entry.add(.stored($0)) }
    if let section = entry.finish() { sections[.secrets, default: []].append(section) }
  }

  /// Seals a key share's secret bytes a second time, under its own key (fueki-archive(5), SECTIONS).
  ///
  /// - Parameters:
  ///   - secret: the share's secret bytes.
  ///   - id: the share's 16-byte id.
  /// - Returns: nonce ‖ ciphertext, 40 bytes longer than the secret.
  /// - Throws: ``CryptoError`` if randomness, memory or the cipher is unavailable.
  public func seal(share secret: borrowing SecretBytes, id: [UInt8]) throws -> [UInt8] {
    precondition(id.count == 16, "a share's id has 16 bytes")
    guard let keys = header.keys[.secrets] else { throw CryptoError.unavailable }
    let nonce = try randomness.bytes(XChaCha20Poly1305.nonceByteCount)
    let key = try keys.shareKey(id: id)
    return try secret.withBytes { bytes in
      nonce + (try XChaCha20Poly1305.seal(bytes, key: key, nonce: nonce, additionalData: id))
    }
  }

  /// Writes the manifest, the indices, the trailer and the copies, and finishes the archive.
  ///
  /// The file is complete but not yet durable: the caller must sync it.
  ///
  /// - Parameter manifest: the encoded manifest without fields 1, 2 and 3.
  /// - Returns: the archive's digest, length and contents.
  /// - Throws: ``BundleError/manifestLength(reserved:given:)`` if the manifest's length is not the announced
  ///   one, ``BundleError/archiveTooLarge`` beyond 1 TiB, and errors of writing the file.
  public consuming func finish(manifest: [UInt8]) throws -> WrittenArchive {
    guard manifest.count == manifestBytes else {
      throw BundleError.manifestLength(reserved: manifestBytes, given: manifest.count)
    }
    try enterScope(.secrets)
    let secretSections = sections[.secrets] ?? []
    chunkCounts.append(try secrets?.finish(sections: secretSections, sink: &sink) ?? 0)

    var digests: [[UInt8]] = []
    for scope in ArchiveScope.allCases {
      guard let keys = header.keys[scope] else { continue }
      digests.append(try keys.scopeDigest(sections[scope] ?? []))
    }
    let record = ManifestRecord.encode(digests: digests, body: manifest)
    var batch = RecordBatch()
    batch.append(record)
    var entry = SectionEntry(id: StreamIndex.manifestID)
    entry.add(plaintext: batch.bytes.span, records: 1)
    entry.add(.stored(batch.bytes.count))
    if let section = entry.finish() { sections[.profile, default: []].insert(section, at: 0) }
    try profile.finish(sections: sections[.profile] ?? [], reserved: batch.bytes, sink: &sink)
    try sink.drain()
    return try close(bundleChecksum: FuekiArchive.bundleChecksum(digests))
  }

  private consuming func close(bundleChecksum: Digest) throws -> WrittenArchive {
    guard let layout = Layout(fieldBytes: header.fieldBytes, chunkCounts: chunkCounts),
      layout.length <= Limits.archiveBytes.upperBound
    else { throw BundleError.archiveTooLarge }
    let leafRoot = SHA256.hash(.label("fueki/1 leaves"), sink.leaves)
    let digest = Trailer.archiveDigest(
      chunkCounts: chunkCounts, headerDigest: header.digest, leafRoot: leafRoot)
    var seals: [UInt8] = []
    for scope in ArchiveScope.allCases { seals += try header.keys[scope]?.seal(over: digest) ?? [] }
    let signature =
      try draft.signer?.sign(Trailer.signedBytes(digest, seals: seals))
      ?? [UInt8](repeating: 0, count: Trailer.signatureByteCount)
    let trailer = Trailer(
      chunkCounts: chunkCounts, headerDigest: header.digest, leafRoot: leafRoot, archiveDigest: digest,
      signature: signature, seals: seals)
    try file.write(
      trailer.bytes + sink.leaves + header.bytes + trailer.bytes, at: layout.firstTrailerOffset)
    return WrittenArchive(
      digest: digest, facts: header.facts, slotTypes: header.slotTypes,
      slotsForTheLongTerm: header.slotsForTheLongTerm, byteCount: layout.length,
      bundleChecksum: bundleChecksum,
      sections: ArchiveScope.allCases.flatMap { sections[$0] ?? [] }.map(SectionSummary.init),
      historyKeys: header.facts.base == nil ? nil : header.keys[.history])
  }

  // MARK: blocks

  private mutating func store(
    _ block: BlockPacker.Block, in scope: ArchiveScope, _ entry: inout SectionEntry
  ) throws {
    entry.add(plaintext: block.bytes.span, records: block.records)
    guard scope != .secrets else {
      entry.add(.stored(block.bytes.count))
      try secrets?.append(block.bytes.span, sink: &sink)
      return
    }
    if compressors.isFull { try storeOldest(in: scope, &entry) }
    compressors.submit { [compressor] in try compressor.compress(block.bytes) }
  }

  private mutating func storeOldest(in scope: ArchiveScope, _ entry: inout SectionEntry) throws {
    guard let block = try compressors.next() else { return }
    entry.add(block.entry)
    if scope == .profile {
      try profile.append(block: block.bytes, sink: &sink)
    } else {
      try history?.append(block: block.bytes, sink: &sink)
    }
  }

  // MARK: order

  mutating func enter(_ id: UInt16) throws -> ArchiveScope {
    guard id > lastSection, let scope = ArchiveScope(sectionID: id) else {
      throw BundleError.sectionOrder(id)
    }
    lastSection = id
    try enterScope(scope)
    return scope
  }

  /// Closes the streams before `scope`, which determines the place of its first chunk.
  private mutating func enterScope(_ scope: ArchiveScope) throws {
    if scope > .profile, history == nil, let keys = header.keys[.history] {
      chunkCounts.append(profile.chunkCount(profileSectionsWithManifest))
      history = StreamWriter(keys: keys, firstGlobalChunk: chunkCounts[0])
    }
    if scope == .secrets, secrets == nil, let keys = header.keys[.secrets] {
      let written = sections[.history] ?? []
      chunkCounts.append(history?.chunkCount(written) ?? 0)
      try history?.finish(sections: written, reserved: [], sink: &sink)
      secrets = try SecretStreamWriter(keys: keys, firstGlobalChunk: chunkCounts[0] + chunkCounts[1])
    }
  }

  /// The profile's sections with a placeholder of the same length for the manifest's entry.
  private var profileSectionsWithManifest: [StreamIndex.Section] {
    let block = StreamIndex.Block.stored(0)
    let manifest = StreamIndex.Section(
      id: StreamIndex.manifestID, records: 1, plaintextBytes: 0, digest: .zero, blocks: [block])
    return [manifest] + (sections[.profile] ?? [])
  }

  private static func framed(_ count: Int) -> Int {
    var prefix: [UInt8] = []
    prefix.append(varint: UInt64(count))
    return prefix.count + count
  }
}

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
