public import FuekiCrypto

/// Some records of one section: each as varint length ‖ message, one after another.
///
/// It frames them itself, and keeps where they are: whoever takes it need not look for them.
public struct RecordBatch: Sendable {
  // Most records have a length of two bytes.
  private static let expectedLengthBytes = 2

  /// The framed records.
  public private(set) var bytes: [UInt8] = []
  /// Where the records' messages lie in ``bytes``, their lengths left out.
  package private(set) var messages: [Range<Int>] = []
  /// Makes the batch that follows this one, where it was ended early.
  public var rest: BatchJob?

  /// How many records ``bytes`` holds.
  public var count: Int { messages.count }

  /// A batch without records.
  public init() {}

  /// Appends one record, framing it.
  public mutating func append(_ message: some Collection<UInt8>) {
    bytes.append(varint: UInt64(message.count))
    let start = bytes.count
    bytes.append(contentsOf: message)
    messages.append(start..<bytes.count)
  }

  /// Appends as one record what `write` appends to the bytes before it, framing it.
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

  /// How long each record is with its length before it, in bytes.
  var framedLengths: [Int] {
    var start = 0
    return messages.map { message in
      defer { start = message.upperBound }
      return message.upperBound - start
    }
  }

  /// Makes room for so many bytes.
  package mutating func reserve(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// The same records, and nothing that follows them.
  package func alone() -> RecordBatch {
    var alone = self
    alone.rest = nil
    return alone
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
}

/// What the caller of a writer did wrong, or gave too much of.
public enum BundleError: Error, Equatable {
  /// A record is beyond the format's 16 MiB.
  case recordTooLarge(bytes: Int)
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
