import FuekiArchive
import Testing

@Suite struct PadmeTests {
  @Test func `small numbers of chunks are padded as the manual page says`() {
    let expected: [UInt64] = [
      4, 5, 6, 7, 8, 10, 10, 12, 12, 14, 14, 16, 16, 18, 18, 20, 20, 22, 22, 24, 24, 26, 26, 28, 28, 30, 30,
      32,
    ]
    #expect((4...31).map { Padme.chunkCount(holding: $0) } == expected)
    #expect((0...4).allSatisfy { Padme.chunkCount(holding: $0) == 4 })
    #expect(Padme.chunkCount(holding: 1000) == 1024)
    #expect(Padme.chunkCount(holding: 10000) == 10240)
  }

  @Test func `padding is idempotent, grows with its argument and costs at most an eighth`() {
    var last: UInt64 = 0
    let small = Array(1...UInt64(20_000))
    let large = (15...38).flatMap { (exponent: UInt64) -> [UInt64] in
      (0..<9).map { (UInt64(1) << exponent) + $0 * 77 }
    }
    for needed in small + large {
      let count = Padme.chunkCount(holding: needed)
      #expect(count >= needed && count >= last)
      #expect(Padme.isChunkCount(count))
      #expect(count == 4 || count - needed <= needed / 8)
      #expect(Padme.isChunkCount(needed) == (needed >= 4 && count == needed))
      last = count
    }
    #expect(!Padme.isChunkCount(0) && !Padme.isChunkCount(3) && !Padme.isChunkCount(.max))
  }
}
