internal import CZstd

/// Decodes zstd frames within the archive format's rules: "Blocks" in fueki-archive(5).
///
/// All rules are checked before allocating, limits first: `maximumWindow` for windows, and
/// `maximumSingleSegment` for single-segment frames, whose window is their content.
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
