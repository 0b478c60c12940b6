internal import FuekiArchive

/// The keys and the identities of a section's records, for the table of an archive that others are made from.
///
/// They lie as bytes in parts by the first byte of their keys: each part grows and is sorted on its own, so that never
/// much more is in memory than what the table will hold.
struct PassedRecords: Sendable {
  /// What a table has of all records before it has the other.
  enum Column {
    /// ``RecordKey``.
    case keys
    /// Each with its length in a byte before it, which is 0 of one that is too long to be kept.
    case names
  }

  static let partCount = 256
  private static let growthBytes = 1024

  /// Of each record its key, then its identity with its length before it.
  private var parts = [[UInt8]](repeating: [], count: partCount)
  private(set) var count = 0
  /// How many bytes the identities have, with their lengths.
  private(set) var nameByteCount = 0

  /// Takes in a batch.
  mutating func append(_ batch: BatchRecords) {
    for (place, key) in batch.keys.enumerated() {
      let name = batch.identities[place]
      let kept = name.count <= IdentityNames.mostBytes ? name.count : 0
      Self.append(key, name.prefix(kept), to: &parts[Int(UInt8(truncatingIfNeeded: key.identity >> 120))])
      nameByteCount += 1 + kept
    }
    count += batch.keys.count
  }

  private static func append(_ key: RecordKey, _ name: ArraySlice<UInt8>, to part: inout [UInt8]) {
    let needed = RecordKey.byteCount + 1 + name.count
    // By an eighth: doubled, the parts would have half of their room empty.
    if part.capacity - part.count < needed {
      part.reserveCapacity(part.count + max(needed, growthBytes, part.count / 8))
    }
    part.append(littleEndian: key.identity)
    part.append(littleEndian: key.message)
    part.append(UInt8(name.count))
    part += name
  }

  /// Brings the records into the order of their keys.
  mutating func sort() {
    for place in parts.indices {
      let part = parts[place]
      var records: [(key: RecordKey, range: Range<Int>)] = []
      Self.forEach(in: part) { records.append(($0, $1)) }
      records.sort { $0.key < $1.key }
      var sorted: [UInt8] = []
      sorted.reserveCapacity(part.count)
      for record in records { sorted += part[record.range] }
      parts[place] = sorted
    }
  }

  /// Appends a column of a part's records, in their order; the parts ascend.
  func append(_ column: Column, of part: Int, to bytes: inout [UInt8]) {
    let part = parts[part]
    Self.forEach(in: part) { _, range in
      let middle = range.lowerBound + RecordKey.byteCount
      switch column {
      case .keys: bytes += part[range.lowerBound..<middle]
      case .names: bytes += part[middle..<range.upperBound]
      }
    }
  }

  private static func forEach(in part: [UInt8], _ body: (RecordKey, Range<Int>) -> Void) {
    let span = part.span
    var start = 0
    while start < part.count {
      let end = start + RecordKey.byteCount + 1 + Int(span[start + RecordKey.byteCount])
      body(RecordKey(span, at: start), start..<end)
      start = end
    }
  }
}

/// A batch's records as a pass sees them.
struct BatchRecords {
  private let batch: RecordBatch
  let keys: [RecordKey]
  /// As an archive has them; none where nobody asked for them.
  let identities: [[UInt8]]
  private(set) var sum = KeySum()
  private(set) var digest = SetDigest()

  /// - Parameters:
  ///   - batch: what was collected.
  ///   - section: 32…61.
  ///   - keying: what keys are made with.
  ///   - isCompared: whether the set digest is asked for, and not the identities.
  init(_ batch: RecordBatch, in section: UInt16, _ keying: RecordKeying, isCompared: Bool) {
    self.batch = batch
    let bytes = batch.bytes.span
    var keys: [RecordKey] = []
    var identities: [[UInt8]] = []
    keys.reserveCapacity(batch.count)
    for range in batch.messages {
      let message = bytes.extracting(range)
      let identity = RecordIdentity(of: message, in: section)
      let key = keying.key(of: message, identity)
      keys.append(key)
      sum.add(key)
      if isCompared {
        digest.add(message, section: section)
      } else {
        identities.append(identity.bytes(in: message))
      }
    }
    self.keys = keys
    self.identities = identities
  }

  /// The batch with some of its records only, and nothing that follows it.
  func keeping(_ isKept: [Bool]) -> RecordBatch {
    guard isKept.contains(false) else { return batch.alone() }
    var kept = RecordBatch()
    for (range, isKept) in zip(batch.messages, isKept) where isKept { kept.append(batch.bytes[range]) }
    return kept
  }
}
