import FuekiCompression
import Testing

@Suite struct `DEFLATE of other programs` {
  /// "hello hello hello hello", compressed by Python's zlib.
  private static let text = Array("hello hello hello hello".utf8)
  private static let packed: [UInt8] = [
    0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27, 0x01, 0x68, 0x03, 0x08, 0xB1,
  ]

  private func decode(
    _ input: [UInt8], _ wrapping: Inflate.Wrapping = .zlib, room: Int
  ) throws(CompressionError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: room)
    var span = output.mutableSpan
    let count = try Inflate.decode(input.span, wrapping: wrapping, into: &span)
    return Array(output.prefix(count))
  }

  @Test func `a whole stream is decoded, with or without its wrapping`() throws {
    #expect(try decode(Self.packed, room: 100) == Self.text)
    #expect(try decode(Self.packed, room: Self.text.count) == Self.text)
    #expect(try decode(Array(Self.packed.dropFirst(2).dropLast(4)), .raw, room: 100) == Self.text)
  }

  @Test func `no byte is written beyond the room`() {
    for room in 0..<Self.text.count {
      #expect(throws: CompressionError.wrongLength) { try decode(Self.packed, room: room) }
    }
  }

  @Test func `a stream that is cut, altered or followed by something is refused`() {
    for count in 0..<Self.packed.count {
      #expect(throws: CompressionError.self) { try decode(Array(Self.packed.prefix(count)), room: 100) }
    }
    for place in Self.packed.indices {
      var altered = Self.packed
      altered[place] ^= 0x55
      #expect(throws: CompressionError.self) { try decode(altered, room: 100) }
    }
    #expect(throws: CompressionError.notOneFrame) { try decode(Self.packed + [0], room: 100) }
  }

  @Test func `the checksum of ZIP files`() {
    let digits = Array("123456789".utf8)
    let nothing: [UInt8] = []
    #expect(CRC32.checksum(digits.span) == 0xCBF4_3926)
    #expect(CRC32.checksum(nothing.span) == 0)
  }
}
