internal import CZstd

/// Decodes zstd frames within the archive format's rules: "Blocks" in fueki-archive(5).
///
/// All rules are checked before allocating, limits first: `maximumWindow` for windows, and
/// `maximumSingleSegment` for single-segment frames, whose window is their content.
public enum ZstdFrame {
  /// The first four bytes.
  static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  private static let contexts = ContextPool<DecompressionContext>()

  /// Decodes exactly one frame into exactly `plaintextLength` bytes.
  public static func decompress(
    _ frame: Span<UInt8>, plaintextLength: Int, maximumWindow: UInt64 = 8 << 20,
    maximumSingleSegment: UInt64 = 16 << 20
  ) throws(CompressionError) -> [UInt8] {
    let contentSize = try contentSize(
      frame, maximumWindow: maximumWindow, maximumSingleSegment: maximumSingleSegment)
    guard contentSize == UInt64(exactly: plaintextLength) else { throw .wrongLength }
    return try decode(frame, count: plaintextLength)
  }

  /// Decodes exactly one frame to the size that it states, at most `contentLimit` bytes.
  public static func decompress(
    _ frame: Span<UInt8>, contentLimit: Int, maximumWindow: UInt64 = 8 << 20,
    maximumSingleSegment: UInt64 = 16 << 20
  ) throws(CompressionError) -> [UInt8] {
    let contentSize = try contentSize(
      frame, maximumWindow: maximumWindow, maximumSingleSegment: maximumSingleSegment)
    guard let count = Int(exactly: contentSize), count <= contentLimit else {
      throw .contentTooLarge(contentSize)
    }
    return try decode(frame, count: count)
  }

  /// Returns the frame's stated content size, after its header has passed all other rules.
  private static func contentSize(
    _ frame: Span<UInt8>, maximumWindow: UInt64, maximumSingleSegment: UInt64
  ) throws(CompressionError) -> UInt64 {
    let header = try ZstdFrameHeader(frame)
    let limit = header.isSingleSegment ? maximumSingleSegment : maximumWindow
    guard header.windowSize <= limit else { throw .windowTooLarge(header.windowSize) }
    guard !header.hasDictionary else { throw .hasDictionary }
    guard !header.hasChecksum else { throw .hasChecksum }
    guard let contentSize = header.contentSize else { throw .noContentSize }
    return contentSize
  }

  private static func decode(_ frame: Span<UInt8>, count: Int) throws(CompressionError) -> [UInt8] {
    let frameLength = unsafe frame.withUnsafeBufferPointer { source in
      unsafe ZSTD_findFrameCompressedSize(source.baseAddress, source.count)
    }
    guard ZSTD_isError(frameLength) == 0 else { throw .damaged }
    guard frameLength == frame.count else { throw .notOneFrame }

    let context = try contexts.take()
    defer { contexts.giveBack(context) }
    return try context.decompress(frame, count: count)
  }
}

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

/// Why bytes are not a frame that the archive format allows, or why compression failed.
public enum CompressionError: Error, Equatable, Sendable {
  /// There is not exactly one zstd frame: wrong magic number, or bytes after the frame.
  case notOneFrame
  /// The frame's content size is not the expected one.
  case wrongLength
  /// The frame's window of this many bytes exceeds the limit.
  case windowTooLarge(UInt64)
  /// The frame's content of this many bytes exceeds the limit.
  case contentTooLarge(UInt64)
  /// The frame has a checksum.
  case hasChecksum
  /// The frame needs a dictionary.
  case hasDictionary
  /// The frame does not state its content size.
  case noContentSize
  /// The frame is truncated, or its content contradicts its header.
  case damaged
  /// There is no memory for the library's working state.
  case unavailable
}

/// The installed zstd library.
public enum ZstdLibrary {
  /// Its version, such as "1.5.4".
  public static var version: String { unsafe String(cString: ZSTD_versionString()) }
}
