internal import FuekiCompression
internal import FuekiSystem

/// A block ready to be stored.
struct StoredBlock: Sendable {
  let method: BlockMethod
  let bytes: [UInt8]
  let plaintextBytes: Int

  /// The block's entry in the index.
  var entry: StreamIndex.Block {
    StreamIndex.Block(method: method, storedBytes: bytes.count, plaintextBytes: plaintextBytes)
  }
}

/// Chooses a storage method for each block, by its plaintext alone, and applies it.
///
/// One instance serves many threads. Each call borrows its own scratch memory.
final class BlockCompressor: Sendable {
  private struct Scratch: Sendable {
    var writer = ColumnFormWriter()
    var form: [UInt8] = []
  }

  /// The limit for trying both methods.
  ///
  /// Trying both is too slow for longer blocks.
  private static let comparedBytes = 64 << 10
  /// The limit of the mean record length for columns: longer records are mostly a few contiguous values
  /// already.
  private static let columnRecordBytes = 2048

  private let suite: Suite
  private let zstd = ZstdCompressor(level: 1)
  private let idle = Locked<[Scratch]>([])

  init(for suite: Suite) { self.suite = suite }

  /// Returns the block in the fewest bytes found without trying every method.
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

  /// Compresses the block's column form, if columns are promising.
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

/// Encodes blocks in column form: "Column form" in fueki-archive(5).
///
/// The scratch memory persists between blocks. Reuse avoids most allocation.
package struct ColumnFormWriter: Sendable {
  private var fields = FieldScan()

  /// Creates a writer with its own scratch memory.
  package init() {}

  /// The number of records in the last block, and of its bytes stored as raw records.
  var recordCount: Int { fields.shapes.count }
  var rawBytes: Int { Int(fields.nodes[ShapeTree.root].bytes) }

  /// Scans a block for its fields; false if it is not made of whole records.
  package mutating func scan(_ block: Span<UInt8>) -> Bool {
    block.count <= Limits.recordBytes && fields.scan(block)
  }

  /// Encodes the block scanned last at the start of `buffer`, growing it if needed.
  ///
  /// - Returns: the form's length; nil if it would exceed its limit.
  package func encode(_ block: Span<UInt8>, to buffer: inout [UInt8]) -> Int? {
    var layout = FormLayout(fields)
    guard layout.byteCount <= ColumnLimits.formBytes(plaintextBytes: block.count) else { return nil }
    if buffer.count < layout.byteCount {
      buffer.append(contentsOf: repeatElement(0, count: layout.byteCount - buffer.count))
    }
    var form = buffer.mutableSpan
    layout.writeHead(fields.shapes.span, to: &form)
    layout.scatter(fields.fields.span.extracting(0..<fields.fieldCount), of: block, to: &form)
    return layout.byteCount
  }
}
