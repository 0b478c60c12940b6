import FuekiCompression
import TestSupport
import Testing

struct ZstdTests {
  private func opened(_ frame: [UInt8], _ length: Int) throws(CompressionError) -> [UInt8] {
    try ZstdFrame.decompress(frame.span, plaintextLength: length)
  }

  private func refusal(_ recipe: FrameRecipe, length: Int) -> CompressionError? {
    do throws(CompressionError) {
      _ = try opened(recipe.frame, length)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Round trips

  @Test(arguments: [0, 1, 255, 256, 257, 65_791, 65_792, 1 << 20, (1 << 20) + 1, 3 << 20, 16 << 20])
  func `every length and level comes back`(count: Int) throws {
    var random = random(UInt64(count))
    let noise = random.bytes(min(count, 5000))
    let bytes = (0..<count).map { noise[$0 % noise.count] &+ UInt8(truncatingIfNeeded: $0 >> 14) }
    for level in [1, 3, 19] as [Int32] where level < 19 || count <= 3 << 20 {
      let frame = try ZstdCompressor(level: level).compress(bytes.span)
      #expect(try opened(frame, count) == bytes)
      if count > 65_791 { #expect(frame.count < count) }
    }
  }

  @Test func `the largest block at the highest level stays within the window that readers allow`() throws {
    let bytes = [UInt8](repeating: 1, count: 16 << 20)
    let frame = try ZstdCompressor(level: 19).compress(bytes.span)
    #expect(try opened(frame, bytes.count) == bytes)
  }

  @Test func `noise grows a little and still comes back`() throws {
    var random = random(1)
    let bytes = random.bytes(300_000)
    let frame = try ZstdCompressor().compress(bytes.span)
    #expect(frame.count > bytes.count)
    #expect(try opened(frame, bytes.count) == bytes)
  }

  @Test func `one compressor serves many threads`() async throws {
    let compressor = ZstdCompressor()
    let expected = (0..<16).map { [UInt8](repeating: UInt8($0), count: 50_000 + $0) }
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for (number, bytes) in expected.enumerated() {
        group.addTask {
          let frame = try compressor.compress(bytes.span)
          return (number, try ZstdFrame.decompress(frame.span, plaintextLength: bytes.count))
        }
      }
      for try await (number, bytes) in group { #expect(bytes == expected[number]) }
    }
  }

  // MARK: Frames made by hand

  @Test(arguments: [1, 255, 1000, 200_000, 16 << 20])
  func `the recipe gives a good frame`(count: Int) throws {
    #expect(try opened(FrameRecipe.zeros(count).frame, count) == [UInt8](repeating: 0, count: count))
  }

  @Test func `all widths of the content size are read`() throws {
    for (count, width) in [(9, 1), (300, 2), (9, 4), (9, 8)] {
      var recipe = FrameRecipe.zeros(count)
      recipe.contentSize = FrameRecipe.bytes(UInt64(width == 2 ? count - 256 : count), width)
      #expect(try opened(recipe.frame, count).count == count)
    }
  }

  @Test func `other magic numbers are no frame`() {
    for magic: [UInt8] in [[0x50, 0x2A, 0x4D, 0x18], [0x27, 0xB5, 0x2F, 0xFD], [0x28, 0xB5, 0x2F, 0xFE]] {
      var recipe = FrameRecipe.zeros(10)
      recipe.magic = magic
      #expect(refusal(recipe, length: 10) == .notOneFrame)
    }
    #expect(throws: CompressionError.notOneFrame) { try opened([], 0) }
    #expect(throws: CompressionError.notOneFrame) { try opened([0x28, 0xB5, 0x2F], 0) }
  }

  @Test func `bytes after the frame are refused, be they a frame or not`() {
    let good = FrameRecipe.zeros(10).frame
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 7]
    for rest in [good, skippable, [0]] {
      #expect(throws: CompressionError.notOneFrame) { try opened(good + rest, 10) }
    }
    #expect(throws: CompressionError.notOneFrame) { try opened(skippable + good, 10) }
    #expect(throws: CompressionError.wrongLength) { try opened(good + good, 20) }
  }

  @Test func `a checksum is refused`() {
    var recipe = FrameRecipe.zeros(10)
    recipe.hasChecksum = true
    recipe.checksum = [0, 0, 0, 0]
    #expect(refusal(recipe, length: 10) == .hasChecksum)
  }

  @Test(arguments: [[1], [1, 0], [0, 0, 0, 1]] as [[UInt8]])
  func `a dictionary is refused`(identifier: [UInt8]) {
    var recipe = FrameRecipe.zeros(10)
    recipe.dictionaryID = identifier
    #expect(refusal(recipe, length: 10) == .hasDictionary)
  }

  @Test func `a frame must say how long its content is`() {
    var recipe = FrameRecipe.zeros(10)
    recipe.isSingleSegment = false
    recipe.contentSize = []
    #expect(refusal(recipe, length: 10) == .noContentSize)
  }

  @Test func `the content must be as long as expected`() {
    for length in [0, 9, 11, Int.max, -1] {
      #expect(refusal(.zeros(10), length: length) == .wrongLength)
    }
  }

  @Test func `a header that lies about the content is damage`() {
    for blocks in [9, 11] {
      var recipe = FrameRecipe.zeros(10)
      recipe.blocks = FrameRecipe.repeated(blocks)
      #expect(refusal(recipe, length: 10) == .damaged)
    }
  }

  @Test func `the reserved bit is damage`() {
    var recipe = FrameRecipe.zeros(10)
    recipe.reservedBits = 8
    #expect(refusal(recipe, length: 10) == .damaged)
  }

  @Test func `a window of 8 MiB is the largest`() {
    var recipe = FrameRecipe.zeros(10)
    recipe.isSingleSegment = false
    recipe.window = 13 << 3
    #expect(refusal(recipe, length: 10) == nil)
    recipe.window = 13 << 3 | 1
    #expect(refusal(recipe, length: 10) == .windowTooLarge(9 << 20))
    recipe.window = 0xFF
    #expect(refusal(recipe, length: 10) == .windowTooLarge(15 << 38))
  }

  @Test func `a single segment of 16 MiB is the largest, and a bomb is refused unopened`() {
    var recipe = FrameRecipe.zeros(10)
    recipe.contentSize = FrameRecipe.bytes(16 << 20 | 1, 4)
    #expect(refusal(recipe, length: 16 << 20 | 1) == .windowTooLarge(16 << 20 | 1))
    recipe.contentSize = FrameRecipe.bytes(.max, 8)
    #expect(refusal(recipe, length: .max) == .windowTooLarge(.max))
    // The expected length bounds the content, whatever the frame could expand to.
    #expect(refusal(.zeros(16 << 20), length: 1 << 20) == .wrongLength)
  }

  @Test func `a limit is judged before the other rules`() {
    var recipe = FrameRecipe.zeros(10)
    recipe.isSingleSegment = false
    recipe.window = 14 << 3
    recipe.contentSize = []
    recipe.dictionaryID = [1]
    recipe.hasChecksum = true
    #expect(refusal(recipe, length: 10) == .windowTooLarge(16 << 20))
  }

  @Test func `a frame cut anywhere is not opened`() throws {
    let bytes = Array("the same words and the same words again, and the same words".utf8)
    let frame = try ZstdCompressor().compress(bytes.span)
    for length in 0..<frame.count {
      #expect(throws: CompressionError.self) { try opened(Array(frame[..<length]), bytes.count) }
    }
  }

  @Test func `a flipped bit never gives another length`() throws {
    let bytes = Array("the same words and the same words again, and the same words".utf8)
    let frame = try ZstdCompressor().compress(bytes.span)
    for bit in 0..<frame.count * 8 {
      var damaged = frame
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      if let opened = try? opened(damaged, bytes.count) { #expect(opened.count == bytes.count) }
    }
  }
}
