/// Packs framed records into blocks.
///
/// Of a section of 4 MiB and more, as many as fit in 1 MiB, or a single larger one. A smaller section is cut into 16
/// blocks or more, so that damage to one of its chunks takes a part of it and not all.
struct BlockPacker {
  /// A section from this length on is cut into the longest blocks.
  static let largeSectionBytes = 4 << 20
  /// How many blocks a smaller section becomes.
  static let leastBlocks = 16
  /// Blocks are not made shorter than this: many lie in one chunk then, and are lost together all the same.
  static let leastBlockBytes = 4 << 10

  /// The first records of the section, while it may still be a small one.
  private var held: [UInt8]? = []
  private var block: [UInt8] = []
  private var records: UInt64 = 0
  private var limit = Limits.blockBytes

  struct Block: Sendable {
    let bytes: [UInt8]
    let records: UInt64
  }

  /// Adds a batch's records, handing each block that is full to `emit`.
  mutating func add(_ batch: RecordBatch, emit: (Block) throws -> Void) throws {
    try check(batch)
    guard let held else { return try pack(batch.bytes, emit: emit) }
    guard held.count + batch.bytes.count >= Self.largeSectionBytes else {
      self.held?.append(contentsOf: batch.bytes)
      return
    }
    self.held = nil
    try pack(held, emit: emit)
    try pack(batch.bytes, emit: emit)
  }

  /// Hands over what is left.
  mutating func flush(emit: (Block) throws -> Void) throws {
    if let held {
      self.held = nil
      // A block takes as many whole records as fit, so it is shorter than its limit by up to a record: a few more than
      // sixteen come of it.
      limit = max(Self.leastBlockBytes, (held.count + Self.leastBlocks - 1) / Self.leastBlocks)
      try pack(held, emit: emit)
    }
    try emitBlock(emit)
  }

  private func check(_ batch: RecordBatch) throws(BundleError) {
    var start = 0
    var found = 0
    while start < batch.bytes.count {
      guard let length = batch.bytes.framedRecordLength(at: start) else { throw .malformedBatch }
      guard length <= Limits.recordBytes else { throw .recordTooLarge(bytes: length) }
      start += length
      found += 1
    }
    guard found == batch.count else { throw .malformedBatch }
  }

  /// Packs records that were checked.
  private mutating func pack(_ bytes: [UInt8], emit: (Block) throws -> Void) throws {
    var start = 0
    var runStart = 0
    while start < bytes.count {
      guard let length = bytes.framedRecordLength(at: start) else { throw BundleError.malformedBatch }
      if block.count + (start - runStart) + length > limit {
        block.append(contentsOf: bytes[runStart..<start])
        runStart = start
        try emitBlock(emit)
      }
      records += 1
      start += length
    }
    block.append(contentsOf: bytes[runStart...])
  }

  private mutating func emitBlock(_ emit: (Block) throws -> Void) throws {
    guard !block.isEmpty else { return }
    try emit(Block(bytes: block, records: records))
    block = []
    block.reserveCapacity(limit)
    records = 0
  }
}
