internal import FuekiArchive

/// The keys and identities of a section's records, for the table of a base archive.
///
/// They are kept as bytes, in parts by the first byte of their keys. Each part grows and is sorted separately, so that
/// memory use stays close to the size of the table.
struct PassedRecords: Sendable {
  /// A column of the table.
  ///
  /// It is complete before the next begins.
  enum Column {
    /// ``RecordKey``.
    case keys
    /// Each with a one-byte length prefix: 0 for an identity too long to keep.
    case names
  }

  static let partCount = 256
  private static let growthBytes = 1024

  /// Each record's key, then its identity with its length prefix.
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
  /// In the archive's form; empty unless requested.
  let identities: [[UInt8]]
  private(set) var sum = KeySum()
  private(set) var digest = SetDigest()

  /// - Parameters:
  ///   - batch: the collected records.
  ///   - section: 32…61.
  ///   - keying: makes the keys.
  ///   - isCompared: whether to compute the set digest instead of the identities.
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

  /// Returns the batch with some of its records only, without its rest.
  func keeping(_ isKept: [Bool]) -> RecordBatch {
    guard isKept.contains(false) else { return batch.alone() }
    var kept = RecordBatch()
    for (range, isKept) in zip(batch.messages, isKept) where isKept { kept.append(batch.bytes[range]) }
    return kept
  }
}
