package import FuekiSources
internal import FuekiSystem

/// The newest values of some keys in a LevelDB directory's files.
///
/// Every write has a sequence number, and a key's highest one is valid, whichever file it is in. A closed
/// database consists of its logs, and of the tables written from them.
package struct LevelDBValues {
  /// The limit of values, and of a table's blocks.
  static let valueByteCountLimit = 64 << 20

  private static let blockByteCount = 32 << 10
  private static let headByteCount = 7
  /// The limit of the requested keys.
  private static let keyByteCountLimit = 256
  private static let footerByteCount = 48
  private static let tableMagic: UInt64 = 0xDB47_7524_8B80_FB57

  private let wanted: Set<ExactText>
  private let work: WorkBudget
  private var newest: [ExactText: (number: UInt64, value: [UInt8]?)] = [:]
  /// The number of records and blocks that are truncated or have a wrong checksum.
  package private(set) var damagedCount = 0

  package init(of wanted: Set<String>, work: WorkBudget) {
    (self.wanted, self.work) = (Set(wanted.map(ExactText.init(_:))), work)
  }

  /// Returns a key's value; nil if it has none or was removed.
  package subscript(key: String) -> [UInt8]? { newest[ExactText(key)]?.value }

  private mutating func note(_ key: ArraySlice<UInt8>, _ number: UInt64, _ value: ArraySlice<UInt8>?) {
    guard key.count <= Self.keyByteCountLimit,
      let name = String(validating: key, as: UTF8.self).map(ExactText.init(_:)),
      wanted.contains(name),
      newest[name].map({ $0.number <= number }) ?? true
    else { return }
    newest[name] = (number, value.map(Array.init))
  }

  /// Adds what was read from another file of the directory.
  mutating func add(_ other: LevelDBValues) {
    damagedCount += other.damagedCount
    for (name, entry) in other.newest where newest[name].map({ $0.number <= entry.number }) ?? true {
      newest[name] = entry
    }
  }

  // MARK: logs

  /// Reads a log: records in blocks of 32 KiB, complete or in fragments.
  package mutating func read(log file: [UInt8]) throws {
    work.admit(input: UInt64(file.count))
    var (record, isInside) = ([UInt8](), false)
    for start in stride(from: 0, to: file.count, by: Self.blockByteCount) {
      try work.spend(min(Self.blockByteCount, file.count - start), on: .bytesRead)
      var position = start
      let end = min(start + Self.blockByteCount, file.count)
      while end - position >= Self.headByteCount {
        var reader = LittleEndianReader(file[position..<end])
        guard let sum = reader.number(4), let count = reader.number(2), let type = reader.number(1) else {
          break
        }
        // Preallocated space that was never written.
        if type == 0, count == 0 { break }
        guard let payload = reader.take(Int(count)), 1...4 ~= type,
          UInt64(CRC32C.masked(file[position + 6..<position + Self.headByteCount + Int(count)])) == sum
        else {
          // The remaining records of the block cannot be located any more.
          damagedCount += 1
          (record, isInside) = ([], false)
          break
        }
        position += Self.headByteCount + Int(count)
        switch type {
        case 1:
          isInside = false
          try read(batch: payload)
        case 2: (record, isInside) = (Array(payload), true)
        default:
          guard isInside, record.count + payload.count <= 2 * Self.valueByteCountLimit else {
            damagedCount += 1
            (record, isInside) = ([], false)
            continue
          }
          record += payload
          guard type == 4 else { continue }
          try read(batch: record[...])
          (record, isInside) = ([], false)
        }
      }
    }
  }

  /// Reads the writes of one record.
  private mutating func read(batch: ArraySlice<UInt8>) throws {
    var reader = LittleEndianReader(batch)
    guard let first = reader.number(8), let count = reader.number(4) else {
      damagedCount += 1
      return
    }
    for index in 0..<count {
      try work.spend(1, on: .visits)
      guard let type = reader.number(1), type <= 1, let key = reader.counted() else {
        damagedCount += 1
        return
      }
      var value: ArraySlice<UInt8>?
      if type == 1 {
        guard let written = reader.counted() else {
          damagedCount += 1
          return
        }
        value = written
      }
      note(key, first &+ index, value)
    }
  }

  // MARK: tables

  /// Reads a table: blocks of sorted keys, located by an index block.
  ///
  /// The blocks must be consecutive. A table that lists a block twice, or overlapping blocks, was not written
  /// by LevelDB, and counts as damaged.
  package mutating func read(table file: [UInt8]) throws {
    work.admit(input: UInt64(file.count))
    var footer = LittleEndianReader(file.suffix(Self.footerByteCount))
    var magic = LittleEndianReader(file.suffix(8))
    guard file.count >= Self.footerByteCount, magic.number(8) == Self.tableMagic, footer.length() != nil,
      footer.length() != nil, let place = footer.length(), let count = footer.length(),
      let index = try block(file, place, count)
    else {
      damagedCount += 1
      return
    }
    var places: [(place: Int, count: Int)] = []
    var (end, isInOrder) = (0, true)
    let isWhole = try forEachEntry(of: index) { _, value in
      var reader = LittleEndianReader(value)
      guard let place = reader.length(), let count = reader.length() else { return }
      let (next, isBeyond) = place.addingReportingOverflow(count)
      if place < end || isBeyond { isInOrder = false }
      guard isInOrder else { return }
      places.append((place, count))
      // A block is followed by its type and checksum, even if it is empty.
      end = next + 1
    }
    guard isInOrder else {
      damagedCount += 1
      return
    }
    if !isWhole { damagedCount += 1 }
    for (place, count) in places {
      guard let data = try block(file, place, count) else {
        damagedCount += 1
        continue
      }
      var found: [(key: [UInt8], number: UInt64, value: ArraySlice<UInt8>?)] = []
      let isWhole = try forEachEntry(of: data) { key, value in
        var mark = LittleEndianReader(key.suffix(8))
        guard key.count >= 8, let number = mark.number(8) else { return }
        guard key.count <= Self.keyByteCountLimit + 8 else { return }
        found.append((Array(key.dropLast(8)), number >> 8, number & 0xFF == 1 ? value : nil))
      }
      if !isWhole { damagedCount += 1 }
      for entry in found { note(entry.key[...], entry.number, entry.value) }
    }
  }

  /// Returns a block's contents; nil if it is truncated.
  private func block(_ file: [UInt8], _ place: Int, _ count: Int) throws -> [UInt8]? {
    guard count <= file.count, place <= file.count - count, file.count - count - place >= 5 else {
      return nil
    }
    try work.spend(count, on: .bytesRead)
    var reader = LittleEndianReader(file[(place + count)...])
    guard let type = reader.number(1), let sum = reader.number(4),
      UInt64(CRC32C.masked(file[place...place + count])) == sum
    else { return nil }
    let stored = file[place..<place + count]
    switch type {
    case 0: return Array(stored)
    case 1: return try Snappy.decompress(stored, limit: Self.valueByteCountLimit, work: work)
    default: return nil
    }
  }

  /// Iterates over a block's entries, whose keys share prefixes.
  ///
  /// - Returns: whether it was read completely.
  private func forEachEntry(
    of block: [UInt8], _ body: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Void
  ) throws -> Bool {
    var tail = LittleEndianReader(block.suffix(4))
    guard block.count >= 4, let restarts = tail.number(4), restarts <= UInt64((block.count - 4) / 4) else {
      return false
    }
    var reader = LittleEndianReader(block[..<(block.count - 4 - Int(restarts) * 4)])
    var key: [UInt8] = []
    while !reader.isAtEnd {
      guard let shared = reader.length(), let own = reader.length(), let count = reader.length(),
        shared <= key.count, let rest = reader.take(own), let value = reader.take(count)
      else { return false }
      try work.spend(1, on: .visits)
      // In place, so that a long prefix shared by many entries is copied once.
      key.removeLast(key.count - shared)
      key += rest
      body(key[...], value)
    }
    return true
  }
}
