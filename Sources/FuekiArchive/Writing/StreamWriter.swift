internal import FuekiCrypto
internal import FuekiSystem

/// Writes one stream's blocks contiguously, and passes full chunks to the sink.
///
/// The profile's stream starts with the manifest, which is known last, so the chunks that hold it are kept
/// until ``finish(sections:reserved:sink:)``. So is the end of the stream, for the index.
struct StreamWriter {
  private let keys: ScopeKeys
  private let firstGlobalChunk: UInt64
  private let reservedBytes: Int
  /// The bytes that share chunks with the reserved start.
  private var held: [UInt8]
  private let heldCapacity: Int
  private var pending: [UInt8] = []
  private var nextChunk: UInt64
  private var blockBytes: UInt64

  /// - Parameters:
  ///   - keys: the stream's keys.
  ///   - firstGlobalChunk: the number of the stream's first chunk over all streams.
  ///   - reserving: the number of bytes at the stream's start that are known only at the end.
  init(keys: ScopeKeys, firstGlobalChunk: UInt64, reserving: Int = 0) {
    self.keys = keys
    self.firstGlobalChunk = firstGlobalChunk
    reservedBytes = reserving
    held = [UInt8](repeating: 0, count: reserving)
    let piece = Limits.chunkPlaintextBytes
    nextChunk = UInt64((reserving + piece - 1) / piece)
    heldCapacity = Int(nextChunk) * piece
    blockBytes = UInt64(reserving)
  }

  /// Returns the number of chunks of the whole stream, given its sections.
  func chunkCount(_ sections: [StreamIndex.Section]) -> UInt64 {
    let needed = blockBytes + UInt64(StreamIndex.byteCount(sections) + StreamIndex.footerBytes)
    let piece = UInt64(Limits.chunkPlaintextBytes)
    return Padme.chunkCount(holding: (needed + piece - 1) / piece)
  }

  mutating func append(block: [UInt8], sink: inout ChunkSink) throws {
    blockBytes += UInt64(block.count)
    try append(block[...], sink: &sink)
  }

  /// Writes the kept bytes, the zero fill, and the index in the stream's last chunks.
  mutating func finish(
    sections: [StreamIndex.Section], reserved: [UInt8], sink: inout ChunkSink
  ) throws {
    precondition(reserved.count == reservedBytes, "the reserved bytes were counted beforehand")
    let index = StreamIndex.encode(sections)
    var footer: [UInt8] = []
    footer.append(littleEndian: UInt32(index.count))
    footer += StreamIndex.magic
    let total = chunkCount(sections) * UInt64(Limits.chunkPlaintextBytes)
    var fill = total - blockBytes - UInt64(index.count + footer.count)
    while fill > 0 {
      let count = Int(min(fill, UInt64(ChunkSink.runBytes)))
      try append([UInt8](repeating: 0, count: count)[...], sink: &sink)
      fill -= UInt64(count)
    }
    try append((index + footer)[...], sink: &sink)

    held.replaceSubrange(..<reservedBytes, with: reserved)
    let heldEndsStream = pending.isEmpty
    if !held.isEmpty {
      try sink.submit(
        held, keys: keys, chunk: 0, globalChunk: firstGlobalChunk, endsStream: heldEndsStream)
    }
    if !heldEndsStream { try submit(pending, endsStream: true, sink: &sink) }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>, sink: inout ChunkSink) throws {
    let kept = bytes.prefix(heldCapacity - held.count)
    held += kept
    pending += bytes.dropFirst(kept.count)
    // Strictly more than a run: the stream's last chunk must still be pending when the stream ends.
    guard pending.count > ChunkSink.runBytes else { return }
    var start = 0
    while pending.count - start > ChunkSink.runBytes {
      try submit(Array(pending[start..<start + ChunkSink.runBytes]), endsStream: false, sink: &sink)
      start += ChunkSink.runBytes
    }
    pending.removeFirst(start)
  }

  private mutating func submit(_ run: [UInt8], endsStream: Bool, sink: inout ChunkSink) throws {
    try sink.submit(
      run, keys: keys, chunk: nextChunk, globalChunk: firstGlobalChunk + nextChunk, endsStream: endsStream)
    nextChunk += UInt64(run.count / Limits.chunkPlaintextBytes)
  }
}

/// Writes the secrets stream: input is copied directly into one wiped chunk buffer, and sealed there.
struct SecretStreamWriter: ~Copyable {
  private let keys: ScopeKeys
  private let firstGlobalChunk: UInt64
  private var chunk: SecretBytes
  private var filled = 0
  private var nextChunk: UInt64 = 0

  init(keys: ScopeKeys, firstGlobalChunk: UInt64) throws {
    self.keys = keys
    self.firstGlobalChunk = firstGlobalChunk
    chunk = try SecretBytes(count: Limits.chunkPlaintextBytes)
  }

  mutating func append(_ bytes: Span<UInt8>, sink: inout ChunkSink) throws {
    var position = 0
    while position < bytes.count {
      // A full chunk is sealed only when more bytes follow, because the stream's last chunk is sealed
      // differently.
      if filled == chunk.count { try seal(isLast: false, sink: &sink) }
      let count = min(chunk.count - filled, bytes.count - position)
      let start = filled
      let source = bytes.extracting(position..<position + count)
      chunk.withMutableBytes { $0.write(source, at: start) }
      filled += count
      position += count
    }
  }

  /// Ends the stream with its index.
  mutating func finish(
    sections: [StreamIndex.Section], sink: inout ChunkSink
  ) throws -> UInt64 {
    let index = StreamIndex.encode(sections)
    var footer: [UInt8] = []
    footer.append(littleEndian: UInt32(index.count))
    footer += StreamIndex.magic
    let used = nextChunk * UInt64(chunk.count) + UInt64(filled)
    let piece = UInt64(chunk.count)
    let count = Padme.chunkCount(holding: (used + UInt64(index.count + footer.count) + piece - 1) / piece)
    var fill = count * piece - used - UInt64(index.count + footer.count)
    let zeros = [UInt8](repeating: 0, count: chunk.count)
    while fill > 0 {
      let length = Int(min(fill, piece))
      try append(zeros.span.extracting(0..<length), sink: &sink)
      fill -= UInt64(length)
    }
    try append((index + footer).span, sink: &sink)
    try seal(isLast: true, sink: &sink)
    return count
  }

  private mutating func seal(isLast: Bool, sink: inout ChunkSink) throws {
    let nonce = keys.nonce(chunk: nextChunk, isLast: isLast)
    let sealed = try chunk.withBytes { bytes in
      try XChaCha20Poly1305.seal(bytes, key: keys.streamKey, nonce: nonce, additionalData: [])
    }
    try sink.write(sealedChunk: sealed, globalChunk: firstGlobalChunk + nextChunk)
    nextChunk += 1
    filled = 0
  }
}

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

/// Seals runs of chunks on workers, and writes them with their leaves to their place in the file.
struct ChunkSink: ~Copyable {
  /// The number of chunks of about 1 MiB.
  static let runChunks = 64
  static let runBytes = runChunks * Limits.chunkPlaintextBytes

  private struct SealedRun: Sendable {
    let firstChunk: UInt64
    let ciphertext: [UInt8]
    let leaves: [UInt8]
  }

  private let file: ArchiveFile
  private let headerBytes: UInt64
  private let workers: OrderedWorkers<SealedRun>
  /// The leaf table so far.
  ///
  /// Streams do not finish in the order of their chunks.
  private(set) var leaves: [UInt8] = []
  private(set) var writtenBytes: UInt64 = 0

  init(file: ArchiveFile, headerBytes: UInt64, width: Int) {
    self.file = file
    self.headerBytes = headerBytes
    workers = OrderedWorkers(width: width, window: width + 1)
  }

  /// Seals `plaintext` as chunks `chunk`… of the stream.
  ///
  /// - Parameters:
  ///   - plaintext: a whole number of pieces of 16,384 bytes.
  ///   - keys: the stream's keys.
  ///   - chunk: the first chunk's number within its stream.
  ///   - globalChunk: the first chunk's number over all streams.
  ///   - endsStream: whether the last of these chunks is the stream's last.
  /// - Throws: errors of an earlier run. This run's errors are thrown later, at the latest by ``drain()``.
  mutating func submit(
    _ plaintext: [UInt8], keys: ScopeKeys, chunk: UInt64, globalChunk: UInt64, endsStream: Bool
  ) throws {
    if workers.isFull { try writeOldest() }
    workers.submit {
      try Self.seal(plaintext, keys: keys, chunk: chunk, globalChunk: globalChunk, endsStream: endsStream)
    }
  }

  /// Writes one sealed chunk.
  mutating func write(sealedChunk: [UInt8], globalChunk: UInt64) throws {
    let leaf = SHA256.leaf(index: globalChunk, chunk: sealedChunk.span)
    try write(SealedRun(firstChunk: globalChunk, ciphertext: sealedChunk, leaves: leaf.bytes))
  }

  /// Waits for every run and writes it.
  mutating func drain() throws {
    while !workers.isEmpty { try writeOldest() }
  }

  private static func seal(
    _ plaintext: [UInt8], keys: ScopeKeys, chunk: UInt64, globalChunk: UInt64, endsStream: Bool
  ) throws -> SealedRun {
    let count = plaintext.count / Limits.chunkPlaintextBytes
    var ciphertext: [UInt8] = []
    ciphertext.reserveCapacity(count * Limits.chunkBytes)
    var leaves: [UInt8] = []
    leaves.reserveCapacity(count * Layout.leafBytes)
    for i in 0..<count {
      let start = i * Limits.chunkPlaintextBytes
      let piece = plaintext.span.extracting(start..<start + Limits.chunkPlaintextBytes)
      let nonce = keys.nonce(chunk: chunk + UInt64(i), isLast: endsStream && i == count - 1)
      try XChaCha20Poly1305.seal(piece, key: keys.streamKey, nonce: nonce, appendingTo: &ciphertext)
      let sealed = ciphertext.span.extracting(i * Limits.chunkBytes..<(i + 1) * Limits.chunkBytes)
      leaves += SHA256.leaf(index: globalChunk + UInt64(i), chunk: sealed).bytes
    }
    return SealedRun(firstChunk: globalChunk, ciphertext: ciphertext, leaves: leaves)
  }

  private mutating func writeOldest() throws {
    guard let run = try workers.next() else { return }
    try write(run)
  }

  private mutating func write(_ run: SealedRun) throws {
    let offset = headerBytes + run.firstChunk * UInt64(Limits.chunkBytes)
    guard offset < Limits.archiveBytes.upperBound else { throw BundleError.archiveTooLarge }
    try file.write(run.ciphertext, at: offset)
    file.startWriteback(of: run.ciphertext.count, at: offset)
    writtenBytes += UInt64(run.ciphertext.count)
    let start = Int(run.firstChunk) * Layout.leafBytes
    let end = start + run.leaves.count
    if leaves.count < end { leaves += [UInt8](repeating: 0, count: end - leaves.count) }
    leaves.replaceSubrange(start..<end, with: run.leaves)
  }
}
