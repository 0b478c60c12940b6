internal import FuekiCrypto

/// Opens chunks of one stream.
///
/// Shared by workers.
struct StreamOpening: Sendable {
  let file: ArchiveFile
  let keys: ScopeKeys
  /// The offset of the stream's first chunk.
  let offset: UInt64
  let chunkCount: UInt64
  private let chunks: StreamEvidence

  init(_ archive: StoredArchive, keys: ScopeKeys, evidence: ChunkEvidence) {
    file = archive.file
    self.keys = keys
    let first = archive.layout.firstChunk(of: keys.scope)
    offset = archive.layout.offset(ofChunk: first)
    chunkCount = archive.layout.chunks(of: keys.scope)
    chunks = StreamEvidence(evidence, of: first..<first + chunkCount)
  }

  /// Whether chunks may be lost, so that blocks should be read one by one.
  var isDamaged: Bool { chunks != .allWhole }

  var plaintextBytes: UInt64 { chunkCount * UInt64(Limits.chunkPlaintextBytes) }

  /// Reads the stream's bytes in `range`, with every chunk authenticated.
  ///
  /// In the secrets stream, only the requested bytes leave ``SecretBytes``: chunks with the index, fill or
  /// sealed shares also hold seeds.
  func read(_ range: Range<UInt64>) throws(ArchiveError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    guard keys.scope != .secrets else {
      return try readSecret(range).withBytes { bytes in
        [UInt8](capacity: bytes.count) { output in
          for place in bytes.indices { output.append(bytes[place]) }
        }
      }
    }
    let piece = UInt64(Limits.chunkPlaintextBytes)
    let first = range.lowerBound / piece
    let last = (range.upperBound - 1) / piece
    guard last < chunkCount else { throw .forged(.index(keys.scope)) }
    let count = Int(last - first) + 1
    let sealed = try sealedChunks(first, count: count)
    var plaintext: [UInt8] = []
    plaintext.reserveCapacity(count * Limits.chunkPlaintextBytes)
    for i in 0..<count {
      let chunk = sealed.span.extracting(i * Limits.chunkBytes..<(i + 1) * Limits.chunkBytes)
      do {
        try XChaCha20Poly1305.open(
          chunk, key: keys.streamKey, nonce: nonce(first + UInt64(i)), appendingTo: &plaintext)
      } catch { throw .forged(.chunkTag(stream: keys.scope, chunk: first + UInt64(i))) }
    }
    let start = Int(range.lowerBound - first * piece)
    let length = range.count
    guard start > 0 || length < plaintext.count else { return plaintext }
    return Array(plaintext[start..<start + length])
  }

  /// Reads the stream's bytes in `range`, which are never unsealed outside ``SecretBytes``.
  func readSecret(_ range: Range<UInt64>) throws(ArchiveError) -> SecretBytes {
    let piece = UInt64(Limits.chunkPlaintextBytes)
    var position = range.lowerBound
    guard range.upperBound <= plaintextBytes else { throw .forged(.index(keys.scope)) }
    do {
      var plaintext = try SecretBytes(count: range.count)
      while position < range.upperBound {
        let chunk = position / piece
        let start = Int(position - chunk * piece)
        let length = min(Int(piece) - start, Int(range.upperBound - position))
        let sealed = try sealedChunks(chunk, count: 1)
        let opened = try XChaCha20Poly1305.openSecret(
          sealed.span, key: keys.streamKey, nonce: nonce(chunk), additionalData: [])
        let target = Int(position - range.lowerBound)
        plaintext.withMutableBytes { bytes in
          opened.withBytes { source in
            bytes.write(source.extracting(start..<start + length), at: target)
          }
        }
        position += UInt64(length)
      }
      return plaintext
    } catch let error as ArchiveError {
      throw error
    } catch CryptoError.notAuthentic {
      throw .forged(.chunkTag(stream: keys.scope, chunk: position / piece))
    } catch { throw .outOfMemory }
  }

  /// Reads the stream's bytes in `range`, or returns nil if one of their chunks is lost.
  func readUnlessLost(_ range: Range<UInt64>) throws(ArchiveError) -> [UInt8]? {
    guard !isKnownLost(range) else { return nil }
    do {
      return try read(range)
    } catch {
      guard chunks.excuses(error) else { throw error }
      return nil
    }
  }

  /// Reads the stream's bytes in `range` into ``SecretBytes``, or returns nil if one of their chunks is lost.
  func readSecretUnlessLost(_ range: Range<UInt64>) throws(ArchiveError) -> SecretBytes? {
    guard !isKnownLost(range) else { return nil }
    do {
      return try readSecret(range)
    } catch {
      guard chunks.excuses(error) else { throw error }
      return nil
    }
  }

  private func isKnownLost(_ range: Range<UInt64>) -> Bool {
    guard case .leaves(let differing) = chunks, !range.isEmpty else { return false }
    let piece = UInt64(Limits.chunkPlaintextBytes)
    return (range.lowerBound / piece...(range.upperBound - 1) / piece).contains(where: differing.contains)
  }

  private func nonce(_ chunk: UInt64) -> [UInt8] {
    keys.nonce(chunk: chunk, isLast: chunk == chunkCount - 1)
  }

  private func sealedChunks(_ first: UInt64, count: Int) throws(ArchiveError) -> [UInt8] {
    guard first + UInt64(count) <= chunkCount else { throw .forged(.index(keys.scope)) }
    let sealed = try file.read(
      count * Limits.chunkBytes, at: offset + first * UInt64(Limits.chunkBytes))
    guard sealed.count == count * Limits.chunkBytes else { throw .incomplete }
    return sealed
  }

  /// Reads the stream's footer and index without checking its lengths; nil if one of their chunks is lost.
  func readIndex() throws(ArchiveError) -> StreamIndex? {
    let footerBytes = UInt64(StreamIndex.footerBytes)
    guard let footer = try readUnlessLost(plaintextBytes - footerBytes..<plaintextBytes) else { return nil }
    guard Array(footer[4...]) == StreamIndex.magic else { throw .forged(.index(keys.scope)) }
    let length = footer.span.littleEndian(UInt32.self, at: 0)
    guard length <= Limits.indexBytes else { throw .overLimit(.indexLength) }
    guard UInt64(length) <= plaintextBytes - footerBytes else { throw .forged(.index(keys.scope)) }
    let end = plaintextBytes - footerBytes
    guard let index = try readUnlessLost(end - UInt64(length)..<end) else { return nil }
    return try StreamIndex(decoding: index, of: keys.scope)
  }
}

/// The evidence for an archive's chunks before they are opened.
enum ChunkEvidence: Sendable {
  /// Every chunk matches the leaf root.
  case allWhole
  /// The leaf table matches the root, but these chunks, counted over all streams, do not match the table.
  case leaves(differing: [UInt64])
  /// The leaf table does not match the root either, so a chunk's tag is its only evidence.
  case tags
}

/// The evidence for one stream's chunks, counted within it.
enum StreamEvidence: Equatable, Sendable {
  case allWhole
  /// A chunk that differs is lost even if its tag verifies.
  ///
  /// A holder of one scope's key could have made it, while the other scopes' seals cover the table.
  case leaves(differing: Set<UInt64>)
  case tags

  /// Restricts the evidence to a stream, given its chunk numbers in the whole archive.
  init(_ evidence: ChunkEvidence, of chunks: Range<UInt64>) {
    self =
      switch evidence {
      case .allWhole: .allWhole
      case .leaves(let differing):
        .leaves(differing: Set(differing.filter(chunks.contains).map { $0 - chunks.lowerBound }))
      case .tags: .tags
      }
  }

  /// Whether an error in opening a chunk can be the result of damage.
  ///
  /// A chunk that matches the leaf table but does not open was written that way.
  func excuses(_ error: ArchiveError) -> Bool {
    guard self == .tags, case .forged(.chunkTag) = error else { return false }
    return true
  }
}
