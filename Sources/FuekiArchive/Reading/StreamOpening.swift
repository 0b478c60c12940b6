internal import FuekiCrypto

/// Opens chunks of one stream; shared by workers.
struct StreamOpening: Sendable {
  let file: ArchiveFile
  let keys: ScopeKeys
  /// The offset of the stream's first chunk.
  let offset: UInt64
  let chunkCount: UInt64

  init(_ archive: StoredArchive, keys: ScopeKeys) {
    file = archive.file
    self.keys = keys
    offset = archive.layout.offset(ofChunk: archive.layout.firstChunk(of: keys.scope))
    chunkCount = archive.layout.chunks(of: keys.scope)
  }

  var plaintextBytes: UInt64 { chunkCount * UInt64(Limits.chunkPlaintextBytes) }

  /// The stream's bytes in `range`, every chunk of which is authenticated.
  func read(_ range: Range<UInt64>) throws(ArchiveError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
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

  /// The stream's bytes in `range`, which never lie outside ``SecretBytes`` unsealed.
  func readSecret(_ range: Range<UInt64>) throws(ArchiveError) -> SecretBytes {
    let piece = UInt64(Limits.chunkPlaintextBytes)
    var position = range.lowerBound
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
            for i in 0..<length { bytes[target + i] = source[start + i] }
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

  /// Reads the stream's end and its index, whose lengths are not judged yet.
  func readIndex() throws(ArchiveError) -> StreamIndex {
    let footerBytes = UInt64(StreamIndex.footerBytes)
    let footer = try read(plaintextBytes - footerBytes..<plaintextBytes)
    guard Array(footer[4...]) == StreamIndex.magic else { throw .forged(.index(keys.scope)) }
    let length = (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(footer[$1]) }
    guard length <= Limits.indexBytes else { throw .overLimit(.indexLength) }
    guard UInt64(length) <= plaintextBytes - footerBytes else { throw .forged(.index(keys.scope)) }
    let end = plaintextBytes - footerBytes
    return try StreamIndex(decoding: try read(end - UInt64(length)..<end), of: keys.scope)
  }
}
