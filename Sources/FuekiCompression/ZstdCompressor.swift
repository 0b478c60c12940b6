internal import CZstd

/// Compresses each block to an independent frame with a content size and without checksum or dictionary.
///
/// Many threads may use one compressor at once. Each call borrows its own working state.
public final class ZstdCompressor: Sendable {
  private let level: Int32
  private let contexts = ContextPool<CompressionContext>()

  /// Creates a compressor of level 1…19.
  ///
  /// Higher levels need larger windows than the format allows.
  public init(level: Int32 = 1) {
    precondition((1...19).contains(level), "levels above 19 use windows that readers refuse")
    self.level = level
  }

  /// Compresses the bytes to one frame, which may be longer than the input.
  public func compress(_ bytes: Span<UInt8>) throws(CompressionError) -> [UInt8] {
    let context = try contexts.take()
    defer { contexts.giveBack(context) }
    return try context.compress(bytes, level: level)
  }
}
