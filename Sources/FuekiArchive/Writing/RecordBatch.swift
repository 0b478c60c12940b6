public import FuekiCrypto

/// Some records of one section: each as varint length ‖ message, one after another.
public struct RecordBatch: Sendable {
  /// The framed records.
  public var bytes: [UInt8]
  /// How many records ``bytes`` holds.
  public var count: Int
  /// Makes the batch that follows this one, where it was ended early.
  public var rest: BatchJob?

  /// A batch of records that are framed already.
  public init(bytes: [UInt8] = [], count: Int = 0) {
    self.bytes = bytes
    self.count = count
  }

  /// Appends one record, framing it.
  public mutating func append(_ message: some Collection<UInt8>) {
    bytes.append(varint: UInt64(message.count))
    bytes.append(contentsOf: message)
    count += 1
  }

  /// Where the records' messages lie in ``bytes``, their lengths left out.
  ///
  /// - Throws: ``BundleError/malformedBatch`` where the bytes are not as many framed records as the batch says.
  package func messages() throws(BundleError) -> [Range<Int>] {
    var messages: [Range<Int>] = []
    messages.reserveCapacity(count)
    var start = 0
    while start < bytes.count {
      guard let length = bytes.framedRecordLength(at: start) else { throw .malformedBatch }
      var message = start
      while bytes[message] & 0x80 != 0 { message += 1 }
      messages.append(message + 1..<start + length)
      start += length
    }
    guard messages.count == count else { throw .malformedBatch }
    return messages
  }
}

/// Makes one batch; runs on a worker, beside others.
public typealias BatchJob = @Sendable () throws -> RecordBatch

extension [UInt8] {
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// The length of the framed record at `start`, its varint included, or nil where the bytes are no record.
  ///
  /// A varint has one spelling: the shortest.
  func framedRecordLength(at start: Int) -> Int? {
    var value: UInt64 = 0
    var width = 0
    while true {
      guard start + width < count, width < 4 else { return nil }
      let byte = self[start + width]
      value |= UInt64(byte & 0x7F) << UInt64(7 * width)
      width += 1
      guard byte & 0x80 != 0 else {
        guard width == 1 || byte != 0 else { return nil }
        break
      }
    }
    guard value <= UInt64(count - start - width) else { return nil }
    return width + Int(value)
  }
}

/// Packs framed records into blocks: as many as fit in 1 MiB, or a single larger one.
struct BlockPacker {
  private var block: [UInt8] = []
  private var records: UInt64 = 0

  struct Block: Sendable {
    let bytes: [UInt8]
    let records: UInt64
  }

  /// Adds a batch's records, handing each block that is full to `emit`.
  mutating func add(_ batch: RecordBatch, emit: (Block) throws -> Void) throws {
    var start = 0
    var runStart = 0
    var found = 0
    while start < batch.bytes.count {
      guard let length = batch.bytes.framedRecordLength(at: start) else { throw BundleError.malformedBatch }
      guard length <= Limits.recordBytes else { throw BundleError.recordTooLarge(bytes: length) }
      if block.count + (start - runStart) + length > Limits.blockBytes {
        block.append(contentsOf: batch.bytes[runStart..<start])
        runStart = start
        try flush(emit: emit)
      }
      records += 1
      start += length
      found += 1
    }
    guard found == batch.count else { throw BundleError.malformedBatch }
    block.append(contentsOf: batch.bytes[runStart...])
  }

  /// Hands over what is left.
  mutating func flush(emit: (Block) throws -> Void) throws {
    guard !block.isEmpty else { return }
    try emit(Block(bytes: block, records: records))
    block = []
    block.reserveCapacity(Limits.blockBytes)
    records = 0
  }
}

/// What the caller of a writer did wrong, or gave too much of.
public enum BundleError: Error, Equatable {
  /// A record is beyond the format's 16 MiB.
  case recordTooLarge(bytes: Int)
  /// A batch's bytes are not as many framed records as it says.
  case malformedBatch
  /// Sections were not given in ascending order, or one twice.
  case sectionOrder(UInt16)
  /// A manifest has another length than was reserved for it.
  case manifestLength(reserved: Int, given: Int)
  /// There is no slot, or more than readers take: 32, and 4 of passphrases.
  case slotCount(Int)
  /// A passphrase's key derivation is beyond the limits that readers have.
  case derivationCost(Argon2id.Cost)
  /// The slots and what else the header says are more than the 64 KiB that it has room for.
  case headerTooLarge(bytes: Int)
  /// No slot opens these scopes, so nobody ever could.
  case closedScopes([ArchiveScope])
  /// The archive would be beyond 1 TiB.
  case archiveTooLarge
}
