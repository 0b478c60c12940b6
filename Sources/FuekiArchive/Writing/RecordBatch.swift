internal import FuekiCrypto

/// Records of one section, concatenated, each as varint length ‖ message.
///
/// It frames the records and keeps their positions, so that consumers need not search for them.
public struct RecordBatch: Sendable {
  // Most records have a length of two bytes.
  private static let expectedLengthBytes = 2

  /// The framed records.
  public private(set) var bytes: [UInt8] = []
  /// The ranges of the records' messages in ``bytes``, without their lengths.
  package private(set) var messages: [Range<Int>] = []
  /// Creates the batch that continues this one, if it ended early.
  public var rest: BatchJob?

  /// The number of records in ``bytes``.
  public var count: Int { messages.count }

  /// Creates a batch without records.
  public init() {}

  /// Appends and frames one record.
  public mutating func append(_ message: some Collection<UInt8>) {
    bytes.append(varint: UInt64(message.count))
    let start = bytes.count
    bytes.append(contentsOf: message)
    messages.append(start..<bytes.count)
  }

  /// Appends and frames one record from the bytes that `write` appends.
  package mutating func append(writing write: (inout [UInt8]) throws -> Void) rethrows {
    let start = bytes.count
    bytes.append(0)
    bytes.append(0)
    do {
      try write(&bytes)
    } catch {
      bytes.removeSubrange(start...)
      throw error
    }
    let length = bytes.count - start - Self.expectedLengthBytes
    if length >> 7 > 0, length >> 14 == 0 {
      bytes[start] = UInt8(truncatingIfNeeded: length) | 0x80
      bytes[start + 1] = UInt8(truncatingIfNeeded: length >> 7)
    } else {
      var spelled: [UInt8] = []
      spelled.append(varint: UInt64(length))
      bytes.replaceSubrange(start..<start + Self.expectedLengthBytes, with: spelled)
    }
    messages.append(bytes.count - length..<bytes.count)
  }

  /// The length of each record in bytes, including its length prefix.
  var framedLengths: [Int] {
    var start = 0
    return messages.map { message in
      defer { start = message.upperBound }
      return message.upperBound - start
    }
  }

  /// Reserves capacity for `byteCount` bytes.
  package mutating func reserve(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Returns the same records without a continuation.
  package func alone() -> RecordBatch {
    var alone = self
    alone.rest = nil
    return alone
  }
}

extension [UInt8] {
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

/// Creates one batch.
///
/// Runs on a worker, concurrently with others.
public typealias BatchJob = @Sendable () throws -> RecordBatch
