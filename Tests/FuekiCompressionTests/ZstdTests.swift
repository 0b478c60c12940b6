import FuekiCompression
import TestSupport
import Testing

struct ZstdTests {
  @Test func `a frame gives back what was compressed`() throws {
    let bytes = [UInt8](repeating: 7, count: 100_000)
    let frame = try ZstdCompressor().compress(bytes.span)
    #expect(try ZstdFrame.decompress(frame.span, plaintextLength: bytes.count) == bytes)
  }
}
