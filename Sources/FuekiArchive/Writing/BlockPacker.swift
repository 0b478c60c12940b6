/// The division of a section into blocks (fueki-archive(5), CHUNKS AND STREAMS).
///
/// A large section is split into blocks of 1 MiB. A smaller section would be one or a few blocks, and a
/// damaged byte would destroy most of it, so it is split more finely.
package enum BlockCut {
  /// The plaintext sizes, in bytes, of sections that are split more finely.
  static let fineBytes = 16_384..<(4 << 20)
  private static let pieces = 16

  /// Returns the limit of a block in bytes, unless it is a single record.
  ///
  /// - Parameter lengths: the lengths of all framed records of the section.
  /// - Returns: 1…1,048,576.
  package static func limit(_ lengths: [Int]) -> Int {
    let total = lengths.reduce(0, +)
    guard fineBytes.contains(total) else { return Limits.blockBytes }
    let wanted = min(pieces, lengths.count)
    var limit = total / pieces
    // A record longer than a piece replaces several pieces.
    while limit > 1, blockCount(lengths, limit) < wanted { limit /= 2 }
    return limit
  }

  private static func blockCount(_ lengths: [Int], _ limit: Int) -> Int {
    var count = 0
    var open = 0
    for length in lengths {
      if open == 0 || open + length > limit {
        count += 1
        open = 0
      }
      open += length
    }
    return count
  }
}

/// Packs framed records into blocks: as many as fit, or a single larger one.
///
/// The first 4 MiB are held, because only the end of a section shows that it is small.
struct BlockPacker {
  private var held: [RecordBatch] = []
  private var heldBytes = 0
  private var isHolding = true
  private var block: [UInt8] = []
  private var records: UInt64 = 0

  struct Block: Sendable {
    let bytes: [UInt8]
    let records: UInt64
  }

  /// Adds a batch's records, and passes each full block to `emit`.
  mutating func add(_ batch: RecordBatch, emit: (Block) throws -> Void) throws {
    var start = 0
    for message in batch.messages {
      let length = message.upperBound - start
      guard length <= Limits.recordBytes else { throw BundleError.recordTooLarge(bytes: length) }
      start = message.upperBound
    }
    guard isHolding else { return try pack(batch, limit: Limits.blockBytes, emit) }
    held.append(batch.alone())
    heldBytes += batch.bytes.count
    if heldBytes >= BlockCut.fineBytes.upperBound { try release(limit: Limits.blockBytes, emit) }
  }

  /// Passes the remaining blocks to `emit`.
  mutating func finish(emit: (Block) throws -> Void) throws {
    if isHolding { try release(limit: BlockCut.limit(held.flatMap(\.framedLengths)), emit) }
    try flush(emit)
  }

  private mutating func release(limit: Int, _ emit: (Block) throws -> Void) throws {
    isHolding = false
    let batches = held
    held = []
    for batch in batches { try pack(batch, limit: limit, emit) }
  }

  private mutating func pack(_ batch: RecordBatch, limit: Int, _ emit: (Block) throws -> Void) throws {
    var start = 0
    var runStart = 0
    for message in batch.messages {
      let length = message.upperBound - start
      if block.count + (start - runStart) + length > limit {
        block.append(contentsOf: batch.bytes[runStart..<start])
        runStart = start
        try flush(emit)
      }
      records += 1
      start = message.upperBound
    }
    block.append(contentsOf: batch.bytes[runStart...])
  }

  private mutating func flush(_ emit: (Block) throws -> Void) throws {
    guard !block.isEmpty else { return }
    let capacity = block.capacity
    try emit(Block(bytes: block, records: records))
    block = []
    block.reserveCapacity(min(capacity, Limits.blockBytes))
    records = 0
  }
}

/// Splits secret records into blocks without holding them: stored blocks need only their lengths.
package struct SecretBlocks {
  private var lengths: [Int] = []
  private var heldBytes = 0
  private var isHolding = true
  private var open = 0

  package init() {}

  /// Adds a framed record of `count` bytes, and passes the size of each full block to `emit`.
  package mutating func add(_ count: Int, emit: (Int) -> Void) {
    guard isHolding else { return pack(count, limit: Limits.blockBytes, emit) }
    lengths.append(count)
    heldBytes += count
    if heldBytes >= BlockCut.fineBytes.upperBound { release(limit: Limits.blockBytes, emit) }
  }

  /// Passes the sizes of the remaining blocks to `emit`.
  package mutating func finish(emit: (Int) -> Void) {
    if isHolding { release(limit: BlockCut.limit(lengths), emit) }
    if open > 0 { emit(open) }
    open = 0
  }

  private mutating func release(limit: Int, _ emit: (Int) -> Void) {
    isHolding = false
    for length in lengths { pack(length, limit: limit, emit) }
    lengths = []
  }

  private mutating func pack(_ count: Int, limit: Int, _ emit: (Int) -> Void) {
    if open > 0, open + count > limit {
      emit(open)
      open = 0
    }
    open += count
  }
}
