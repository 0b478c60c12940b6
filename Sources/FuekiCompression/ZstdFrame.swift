internal import CZstd

/// A zstd frame as the archive format allows it: "Blocks" in fueki-archive(5).
///
/// All rules are checked before anything is allocated, the limits first: a window over `maximumWindow`, or over
/// `maximumSingleSegment` in a single-segment frame, whose window is its content.
public enum ZstdFrame {
  /// The first four bytes.
  public static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

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

  /// Decodes exactly one frame, of as many bytes as it says, which are `contentLimit` at most.
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

  /// What a frame says of its content's length, once its header keeps all other rules.
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
