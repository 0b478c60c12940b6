internal import FuekiArchive

/// The keys and the identities of a section's records, for the table of an archive that others are made from.
struct PassedRecords: Sendable {
  private struct Record {
    let key: RecordKey
    /// Where its identity is among the names, its length before it.
    let name: UInt32
  }

  private var records: [Record] = []
  /// Each with its length in a byte, which is 0 of one that is too long to be kept.
  private var names: [UInt8] = []

  var count: Int { records.count }

  /// The key at a place.
  subscript(_ place: Int) -> RecordKey { records[place].key }

  /// Takes in a batch.
  mutating func append(_ batch: BatchRecords) {
    for (place, key) in batch.keys.enumerated() {
      records.append(Record(key: key, name: UInt32(names.count)))
      let name = batch.identities[place]
      let isKept = name.count <= IdentityNames.mostBytes
      names.append(isKept ? UInt8(name.count) : 0)
      if isKept { names += name }
    }
  }

  mutating func sort() { records.sort { $0.key < $1.key } }

  /// How many bytes the identities have, with their lengths.
  var nameByteCount: Int { names.count }

  /// The identity at a place, its length before it.
  func name(at place: Int) -> ArraySlice<UInt8> {
    let start = Int(records[place].name)
    return names[start..<start + 1 + Int(names[start])]
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
