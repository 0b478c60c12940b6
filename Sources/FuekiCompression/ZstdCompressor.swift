internal import CZstd

/// Compresses blocks, each to one frame that stands alone: with its content size, without checksum or
/// dictionary.
///
/// One compressor may be used by many threads at once; each call borrows a working state of its own.
public final class ZstdCompressor: Sendable {
  private let level: Int32
  private let contexts = ContextPool<CompressionContext>()

  /// A compressor of this level, 1…19: above, the window would be larger than the format allows.
  public init(level: Int32 = 1) {
    precondition((1...19).contains(level), "levels above 19 use windows that readers refuse")
    self.level = level
  }

  /// The bytes as one frame, which may be longer than the bytes were.
  public func compress(_ bytes: Span<UInt8>) throws(CompressionError) -> [UInt8] {
    let context = try contexts.take()
    defer { contexts.giveBack(context) }
    return try context.compress(bytes, level: level)
  }
}
