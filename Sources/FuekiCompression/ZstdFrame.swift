internal import CZstd

/// A zstd frame as the archive format allows it: section 6 of fueki-archive(5).
public enum ZstdFrame {
  /// The first four bytes.
  public static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  private static let contexts = ContextPool<DecompressionContext>()

  /// Decodes exactly one frame into exactly `plaintextLength` bytes.
  ///
  /// All rules are checked before anything is allocated, the limits first: a window over `maximumWindow`, or
  /// over `maximumSingleSegment` in a single-segment frame, whose window is its content.
  public static func decompress(
    _ frame: Span<UInt8>, plaintextLength: Int, maximumWindow: UInt64 = 8 << 20,
    maximumSingleSegment: UInt64 = 16 << 20
  ) throws(CompressionError) -> [UInt8] {
    let header = try ZstdFrameHeader(frame)
    let limit = header.isSingleSegment ? maximumSingleSegment : maximumWindow
    guard header.windowSize <= limit else { throw .windowTooLarge(header.windowSize) }
    guard !header.hasDictionary else { throw .hasDictionary }
    guard !header.hasChecksum else { throw .hasChecksum }
    guard let contentSize = header.contentSize else { throw .noContentSize }
    guard contentSize == UInt64(exactly: plaintextLength) else { throw .wrongLength }

    let frameLength = unsafe frame.withUnsafeBufferPointer { source in
      unsafe ZSTD_findFrameCompressedSize(source.baseAddress, source.count)
    }
    guard ZSTD_isError(frameLength) == 0 else { throw .damaged }
    guard frameLength == frame.count else { throw .notOneFrame }

    let context = try contexts.take()
    defer { contexts.giveBack(context) }
    return try context.decompress(frame, count: plaintextLength)
  }
}
