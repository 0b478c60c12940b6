/// A zstd frame's header, parsed without the library so that each broken rule has its own error.
///
/// See RFC 8878 section 3.1.1.1.
struct ZstdFrameHeader {
  let isSingleSegment: Bool
  let hasChecksum: Bool
  /// Whether it has a dictionary id field, even with the value 0.
  let hasDictionary: Bool
  /// The content size; nil if not stated.
  let contentSize: UInt64?
  /// The memory that a decoder must keep: in a single-segment frame the content, and 0 if unknown.
  let windowSize: UInt64

  init(_ frame: Span<UInt8>) throws(CompressionError) {
    guard frame.count >= ZstdFrame.magic.count else { throw .notOneFrame }
    for index in ZstdFrame.magic.indices {
      guard frame[index] == ZstdFrame.magic[index] else { throw .notOneFrame }
    }
    guard frame.count > 4 else { throw .damaged }
    let descriptor = frame[4]
    guard descriptor & 0b1000 == 0 else { throw .damaged }
    isSingleSegment = descriptor & 0b10_0000 != 0
    hasChecksum = descriptor & 0b100 != 0

    var position = 5
    let window = try ZstdFrameHeader.number(frame, at: &position, byteCount: isSingleSegment ? 0 : 1)
    let dictionaryByteCount = [0, 1, 2, 4][Int(descriptor & 0b11)]
    hasDictionary = dictionaryByteCount > 0
    _ = try ZstdFrameHeader.number(frame, at: &position, byteCount: dictionaryByteCount)
    switch descriptor >> 6 {
    case 0 where !isSingleSegment: contentSize = nil
    case 0: contentSize = try ZstdFrameHeader.number(frame, at: &position, byteCount: 1)
    case 1: contentSize = try ZstdFrameHeader.number(frame, at: &position, byteCount: 2) + 256
    case 2: contentSize = try ZstdFrameHeader.number(frame, at: &position, byteCount: 4)
    default: contentSize = try ZstdFrameHeader.number(frame, at: &position, byteCount: 8)
    }

    if isSingleSegment {
      windowSize = contentSize ?? 0
    } else {
      let base = UInt64(1) << (10 + (window >> 3))
      windowSize = base + base / 8 * (window & 7)
    }
  }

  private static func number(
    _ frame: Span<UInt8>, at position: inout Int, byteCount: Int
  ) throws(CompressionError) -> UInt64 {
    guard byteCount <= frame.count - position else { throw .damaged }
    var value: UInt64 = 0
    for index in (position..<position + byteCount).reversed() {
      value = value << 8 | UInt64(frame[index])
    }
    position += byteCount
    return value
  }
}
