import FuekiWallet
import Testing

@Suite struct RecordFramingTests {
  func records(_ block: [UInt8]) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    try RecordFraming.forEachRecord(in: block.span) { record in
      found.append(record.indices.map { record[$0] })
    }
    return found
  }

  @Test func `records come back in order, empty ones too`() throws {
    var random = SeededGenerator(seed: 3)
    let messages = [0, 1, 127, 128, 16383, 16384, 5].map { random.bytes($0) }
    var block: [UInt8] = []
    for message in messages { try RecordFraming.append(message, to: &block) }
    #expect(block.count == messages.reduce(0) { $0 + RecordFraming.framedByteCount($1.count) })
    #expect(try records(block) == messages)
  }

  @Test func `a record of 16 MiB with its length is the longest`() throws {
    let longest = [UInt8](repeating: 7, count: (16 << 20) - 4)
    var block: [UInt8] = []
    try RecordFraming.append(longest, to: &block)
    #expect(block.count == 16 << 20)
    #expect(try records(block).count == 1)
    #expect(throws: FramingError.tooLong(offset: block.count)) {
      try RecordFraming.append(longest + [0], to: &block)
    }
    #expect(throws: FramingError.tooLong(offset: 0)) { try records([0xfd, 0xff, 0xff, 0x07]) }
    #expect(throws: FramingError.truncated(offset: 0)) { try records([0xfc, 0xff, 0xff, 0x07]) }
  }

  @Test func `a length in more bytes than it needs is refused`() {
    #expect(throws: FramingError.lengthNotMinimal(offset: 0)) { try records([0x80, 0x00]) }
    #expect(throws: FramingError.lengthNotMinimal(offset: 1)) { try records([0, 0x81, 0x80, 0x00, 1]) }
    #expect(throws: FramingError.tooLong(offset: 0)) { try records([0x80, 0x80, 0x80, 0x80, 0x01]) }
    #expect(throws: FramingError.truncated(offset: 0)) { try records([0x80]) }
  }

  @Test func `every cut and every flipped bit is an answer, not a trap`() throws {
    var block: [UInt8] = []
    for count in [0, 3, 130] { try RecordFraming.append([UInt8](repeating: 0x5a, count: count), to: &block) }
    let boundaries: Set = [0, 1, 5, block.count]
    for end in 0...block.count {
      let cut = Array(block[..<end])
      if boundaries.contains(end) {
        _ = try records(cut)
      } else {
        #expect(throws: FramingError.self) { try records(cut) }
      }
    }
    for bit in 0..<(block.count * 8) {
      var flipped = block
      flipped[bit / 8] ^= 1 << (bit % 8)
      _ = try? records(flipped)
    }
  }
}
