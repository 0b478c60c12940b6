internal import CZstd
internal import FuekiSystem

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

/// A reusable working state of the library.
protocol ZstdContext: AnyObject {
  /// Nil if memory is unavailable.
  init?()
}

/// A pool of idle working states.
///
/// A state has 0.2 to several MB, so creating one per block would cost more than compressing a small block.
final class ContextPool<Context: ZstdContext & Sendable>: Sendable {
  private let idle = Locked<[Context]>([])

  func take() throws(CompressionError) -> Context {
    if let context = idle.withLock({ $0.popLast() }) { return context }
    guard let context = Context() else { throw .unavailable }
    return context
  }

  func giveBack(_ context: Context) { idle.withLock { $0.append(context) } }
}

/// Owns the library's state for compression.
///
/// Safe because the pointer never leaves the class. Unchecked, because the pool lends a context to one thread
/// at a time, which the compiler cannot verify.
@safe final class CompressionContext: ZstdContext, @unchecked Sendable {
  private let context: OpaquePointer

  init?() {
    guard let context = unsafe ZSTD_createCCtx() else { return nil }
    unsafe self.context = context
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  func compress(_ bytes: Span<UInt8>, level: Int32) throws(CompressionError) -> [UInt8] {
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1)
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0)
    unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0)
    let bound = ZSTD_compressBound(bytes.count)
    guard ZSTD_isError(bound) == 0 else { throw .unavailable }
    var length = 0
    let frame = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: bound) { frame, initializedCount in
        length = unsafe ZSTD_compress2(context, frame.baseAddress, bound, source.baseAddress, source.count)
        initializedCount = ZSTD_isError(length) == 0 ? length : 0
      }
    }
    guard ZSTD_isError(length) == 0 else { throw .unavailable }
    return frame
  }
}

/// Owns the library's state for decompression.
///
/// Safe and unchecked for the same reasons.
@safe final class DecompressionContext: ZstdContext, @unchecked Sendable {
  private let context: OpaquePointer

  init?() {
    guard let context = unsafe ZSTD_createDCtx() else { return nil }
    unsafe self.context = context
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  func decompress(_ frame: Span<UInt8>, count: Int) throws(CompressionError) -> [UInt8] {
    var length = 0
    let bytes = unsafe frame.withUnsafeBufferPointer { source in
      unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, initializedCount in
        length = unsafe ZSTD_decompressDCtx(
          context, bytes.baseAddress, count, source.baseAddress, source.count)
        initializedCount = ZSTD_isError(length) == 0 ? length : 0
      }
    }
    guard ZSTD_isError(length) == 0, length == count else { throw .damaged }
    return bytes
  }
}
