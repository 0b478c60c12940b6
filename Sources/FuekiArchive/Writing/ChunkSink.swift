internal import FuekiCrypto
internal import FuekiSystem

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
