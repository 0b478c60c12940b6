import FuekiBackup
import FuekiCollectors
import Testing

/// A LevelDB directory as left by a browser.
enum LevelDBFiles {
  static func number(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func varint(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
    }
    sum = ~sum
    return number((sum >> 15 | sum << 17) &+ 0xA282_EAD8, 4)
  }

  /// Returns a log with one write, in as many fragments as its length needs.
  static func log(_ key: String, _ value: [UInt8]?, sequence: Int) -> [UInt8] {
    let head = number(sequence, 8) + number(1, 4) + [value == nil ? 0 : 1]
    let written = value.map { varint($0.count) + $0 } ?? []
    let record = head + varint(key.utf8.count) + Array(key.utf8) + written
    var rest = record[...]
    var (file, isFirst): ([UInt8], Bool) = ([], true)
    repeat {
      let part = Array(rest.prefix(32768 - 7))
      rest = rest.dropFirst(part.count)
      let type: UInt8 = isFirst ? (rest.isEmpty ? 1 : 2) : (rest.isEmpty ? 4 : 3)
      file += checksum([type] + part) + number(part.count, 2) + [type] + part
      isFirst = false
    } while !rest.isEmpty
    return file
  }

  /// Returns a table with one entry, its block compressed with a literal and a copy with a one-byte length.
  static func table(_ key: String, _ value: [UInt8], sequence: Int, isCompressed: Bool = true) -> [UInt8] {
    let inner = Array(key.utf8) + number(sequence << 8 | 1, 8)
    let data = entry(inner, value) + number(0, 4) + number(1, 4)
    var file = block(isCompressed ? snappy(data) : data, isCompressed ? 1 : 0)
    let first = varint(0) + varint(file.count - 5)
    let index = entry(inner, first) + number(0, 4) + number(1, 4)
    let place = file.count
    file += block(index, 0)
    var footer = varint(0) + varint(0) + varint(place) + varint(index.count)
    footer += [UInt8](repeating: 0, count: 40 - footer.count)
    return file + footer + number(UInt64(0xDB47_7524_8B80_FB57), 8)
  }

  /// Returns a table whose index lists blocks at these positions and sizes.
  static func table(_ blocks: [UInt8], index places: [(Int, Int)]) -> [UInt8] {
    let index = places.flatMap { entry([], varint($0.0) + varint($0.1)) } + number(0, 4) + number(1, 4)
    let file = blocks + block(index, 0)
    let footer = varint(0) + varint(0) + varint(blocks.count) + varint(index.count)
    return file + footer + [UInt8](repeating: 0, count: 40 - footer.count)
      + number(UInt64(0xDB47_7524_8B80_FB57), 8)
  }

  /// Returns a compressed block with an entry for each key.
  static func compressedBlock(_ keys: [[UInt8]]) -> [UInt8] {
    block(snappy(keys.flatMap { entry($0 + number(1 << 8 | 1, 8), []) } + number(0, 4) + number(1, 4)), 1)
  }

  private static func entry(_ key: [UInt8], _ value: [UInt8]) -> [UInt8] {
    varint(0) + varint(key.count) + varint(value.count) + key + value
  }

  private static func block(_ bytes: [UInt8], _ type: UInt8) -> [UInt8] {
    bytes + [type] + checksum(bytes + [type])
  }

  /// Compresses runs of one byte to copies, and everything else to literals.
  static func snappy(_ bytes: [UInt8]) -> [UInt8] {
    var (output, literal, index) = (varint(bytes.count), [UInt8](), 0)
    func flush() {
      for start in stride(from: 0, to: literal.count, by: 60) {
        let part = literal[start..<min(start + 60, literal.count)]
        output += [UInt8((part.count - 1) << 2)] + part
      }
      literal = []
    }
    while index < bytes.count {
      var run = 1
      while index + run < bytes.count, bytes[index + run] == bytes[index], run < 65 { run += 1 }
      literal.append(bytes[index])
      index += 1
      guard run >= 5 else { continue }
      flush()
      output += [UInt8((run - 2) << 2 | 2), 1, 0]
      index += run - 1
    }
    flush()
    return output
  }
}

@Suite struct `Files of LevelDB` {
  private static let keys: Set<String> = ["data"]

  @Test(arguments: [0, 1, 100, 32_700, 32_768, 200_000]) func `a value of a log, in fragments`(_ count: Int)
    throws
  {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let file = LevelDBFiles.log("data", value, sequence: 5)
    var values = LevelDBValues(of: Self.keys, work: WorkBudget())
    try values.read(log: file)
    #expect(values["data"] == value && values.damagedCount == 0 && values["other"] == nil)
    // Wherever it is cut, only a value is missing.
    for end in stride(from: 0, to: file.count, by: max(file.count / 50, 1)) {
      var cut = LevelDBValues(of: Self.keys, work: WorkBudget())
      try cut.read(log: Array(file[..<end]))
      #expect(cut["data"] == nil)
    }
    for place in stride(from: 0, to: file.count, by: max(file.count / 50, 1)) {
      var altered = file
      altered[place] ^= 0x40
      var other = LevelDBValues(of: Self.keys, work: WorkBudget())
      try other.read(log: altered)
      #expect(other["data"] == nil && other.damagedCount > 0)
    }
  }

  @Test(arguments: [true, false]) func `a value of a table`(_ isCompressed: Bool) throws {
    let value = Array("abc".utf8) + [UInt8](repeating: 0x61, count: 500) + Array("xyz".utf8)
    let file = LevelDBFiles.table("data", value, sequence: 5, isCompressed: isCompressed)
    var values = LevelDBValues(of: Self.keys, work: WorkBudget())
    try values.read(table: file)
    #expect(values["data"] == value && values.damagedCount == 0)
    for end in 0..<file.count {
      var cut = LevelDBValues(of: Self.keys, work: WorkBudget())
      try cut.read(table: Array(file[..<end]))
      #expect(cut["data"] == nil && cut.damagedCount > 0)
    }
  }

  @Test func `the highest number holds, wherever it is`() throws {
    for order in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
      var values = LevelDBValues(of: Self.keys, work: WorkBudget())
      for number in order {
        let value = Array("value \(number)".utf8)
        if number == 2 {
          try values.read(table: LevelDBFiles.table("data", value, sequence: number))
        } else {
          try values.read(log: LevelDBFiles.log("data", value, sequence: number))
        }
      }
      #expect(values["data"] == Array("value 3".utf8))
      try values.read(log: LevelDBFiles.log("data", nil, sequence: 4))
      #expect(values["data"] == nil)
    }
  }

  @Test func `Snappy's blocks, and none that lie about their length`() throws {
    let text = Array("abcabcabcabc".utf8)
    // A literal of three, then a copy of nine from three back, in each encoding.
    for copy: [UInt8] in [[5 << 2 | 1, 3], [8 << 2 | 2, 3, 0], [8 << 2 | 3, 3, 0, 0, 0]] {
      let block = [12, 2 << 2] + Array("abc".utf8) + copy
      #expect(try Snappy.decompress(block[...], limit: 12, work: WorkBudget()) == text)
      #expect(try Snappy.decompress(block[...], limit: 11, work: WorkBudget()) == nil)
      #expect(try Snappy.decompress(block.dropLast(), limit: 12, work: WorkBudget()) == nil)
    }
    let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    #expect(
      try Snappy.decompress(([0xAC, 0x02, 61 << 2, 0x2B, 0x01] + long)[...], limit: 300, work: WorkBudget())
        == long)
    let wrong: [[UInt8]] = [
      [], [1], [2, 0, 7], [1, 1, 0], [3, 0, 7, 8 << 2 | 2, 2, 0], [4, 0, 7, 1, 0],
      [255, 255, 255, 255, 255, 15],
      [1, 63 << 2, 255, 255, 255, 255],
    ]
    for block in wrong {
      #expect(try Snappy.decompress(block[...], limit: 1 << 20, work: WorkBudget()) == nil, "\(block)")
    }
  }
}
