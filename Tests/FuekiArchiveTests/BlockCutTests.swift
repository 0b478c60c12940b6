import FuekiArchive
import Testing

/// Small sections are split more finely, so that a damaged byte costs only a part (fueki-archive(5), CHUNKS
/// AND STREAMS).
@Suite struct BlockCutTests {
  private static let fine = 16_384

  @Test(
    arguments: [
      (count: 200, recordBytes: 100, blocks: 16...20), (200, 1000, 16...20), (4000, 1000, 16...17),
      (16, 1024, 16...16), (9, 4096, 9...9), (1, 100_000, 1...1), (163, 100, 1...1),
    ])
  func `a section's blocks`(count: Int, recordBytes: Int, blocks: ClosedRange<Int>) throws {
    let messages = [[UInt8]](repeating: Shape.message(recordBytes: recordBytes), count: count)
    for perBatch in [1, 50, count] {
      let section = SampleSection(33, messages: messages, perBatch: perBatch)
      let sample = try SampleArchive([section])
      let archive = try sample.opened()
      let read = try archive.read(33)
      #expect(blocks.contains(read.blocks.count), "\(read.blocks.count)")
      #expect(read.blocks.reduce(0) { $0 + Int($1.records) } == count)
      #expect(read.plaintext == section.plaintext)
      try archive.checkContents()
    }
  }

  @Test func `a record longer than a piece leaves as many blocks to the others`() {
    let lengths = [Self.fine] + [Int](repeating: 100, count: 100)
    let limit = BlockCut.limit(lengths)
    var blocks = 0
    var open = 0
    for length in lengths {
      if open == 0 || open + length > limit { (blocks, open) = (blocks + 1, 0) }
      open += length
    }
    #expect(blocks >= 16)
    #expect(limit >= 100)
  }

  @Test func `from 4 MiB on, and below 16 KiB, blocks are as large as may be`() {
    #expect(BlockCut.limit([Int](repeating: 1024, count: 4096)) == Limits.blockBytes)
    #expect(BlockCut.limit([Int](repeating: 1024, count: 4095)) < Limits.blockBytes)
    #expect(BlockCut.limit([Self.fine - 1]) == Limits.blockBytes)
    #expect(BlockCut.limit([]) == Limits.blockBytes)
  }

  @Test func `secret records are cut alike`() {
    for lengths in [[Int](repeating: 700, count: 300), [Int](repeating: 9000, count: 600), [500, 40_000, 3]] {
      var cut = SecretBlocks()
      var blocks: [Int] = []
      for length in lengths { cut.add(length) { blocks.append($0) } }
      cut.finish { blocks.append($0) }
      let total = lengths.reduce(0, +)
      #expect(blocks.count >= (total < 4 << 20 ? min(16, lengths.count) : 6))
      #expect(blocks.reduce(0, +) == total)
    }
  }
}
