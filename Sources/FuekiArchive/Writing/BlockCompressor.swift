internal import FuekiCompression
internal import Synchronization

/// A block as it is stored.
struct StoredBlock: Sendable {
  let method: BlockMethod
  let bytes: [UInt8]
  let plaintextBytes: Int

  /// What the index says of it.
  var entry: StreamIndex.Block {
    StreamIndex.Block(method: method, storedBytes: bytes.count, plaintextBytes: plaintextBytes)
  }
}

/// Chooses how each block is stored, by its plaintext alone, and stores it so.
///
/// One serves many threads at once; each call borrows scratch of its own.
final class BlockCompressor: Sendable {
  private struct Scratch: Sendable {
    var writer = ColumnFormWriter()
    var form: [UInt8] = []
  }

  /// Blocks up to this length are compressed both ways; a longer one costs too much for that.
  private static let comparedBytes = 64 << 10
  /// Where records are longer, most of a block is a few values, which lie together in rows as well.
  private static let columnRecordBytes = 2048

  private let suite: Suite
  private let zstd = ZstdCompressor(level: 1)
  private let idle = Mutex<[Scratch]>([])

  init(for suite: Suite) { self.suite = suite }

  /// The block in the fewest bytes, as far as that is known without trying everything.
  func compress(_ plaintext: [UInt8]) throws(CompressionError) -> StoredBlock {
    var best = StoredBlock(method: .stored, bytes: plaintext, plaintextBytes: plaintext.count)
    func consider(_ bytes: [UInt8], _ method: BlockMethod) {
      guard bytes.count < best.bytes.count else { return }
      best = StoredBlock(method: method, bytes: bytes, plaintextBytes: plaintext.count)
    }
    let columns = suite == .columns ? try compressColumns(plaintext.span) : nil
    if columns == nil || plaintext.count <= Self.comparedBytes {
      consider(try zstd.compress(plaintext.span), .compressed)
    }
    if let columns { consider(columns, .columns) }
    return best
  }

  /// A frame of the block's column form, where columns promise anything.
  private func compressColumns(_ plaintext: Span<UInt8>) throws(CompressionError) -> [UInt8]? {
    guard plaintext.count <= Limits.blockBytes else { return nil }
    var scratch = idle.withLock { $0.popLast() } ?? Scratch()
    defer { idle.withLock { [scratch] in $0.append(scratch) } }
    guard scratch.writer.scan(plaintext), scratch.writer.recordCount > 1,
      scratch.writer.rawBytes <= plaintext.count / 2,
      plaintext.count / scratch.writer.recordCount <= Self.columnRecordBytes,
      let length = scratch.writer.encode(plaintext, to: &scratch.form)
    else { return nil }
    return try zstd.compress(scratch.form.span.extracting(0..<length))
  }
}
