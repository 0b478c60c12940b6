internal import CZlib

/// Decoding of DEFLATE data from other programs' files, never beyond the room that the caller gives.
///
/// See RFC 1950 and RFC 1951.
public enum Inflate {
  /// What stands around the compressed data.
  public enum Wrapping: Sendable {
    /// Nothing, as in ZIP files.
    case raw
    /// A zlib header and a checksum.
    case zlib
  }

  /// Decodes one whole stream, which must be all of the input.
  ///
  /// - Returns: how many bytes of the output were written.
  /// - Throws: ``CompressionError/wrongLength`` where the output has no room for all,
  ///   ``CompressionError/damaged`` for what does not decode or ends too early,
  ///   ``CompressionError/notOneFrame`` where something follows, or ``CompressionError/unavailable``.
  public static func decode(
    _ input: Span<UInt8>, wrapping: Wrapping, into output: inout MutableSpan<UInt8>
  ) throws(CompressionError) -> Int {
    guard let inputCount = UInt32(exactly: input.count), let room = UInt32(exactly: output.count) else {
      throw .wrongLength
    }
    // A negative number of bits says that there is no header.
    let bits = wrapping == .raw ? -MAX_WBITS : MAX_WBITS
    var stream = unsafe z_stream()
    let isReady = unsafe inflateInit2_(
      &stream, bits, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
    guard isReady == Z_OK else { throw .unavailable }
    defer { unsafe inflateEnd(&stream) }
    let status = unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = inputCount
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = room
        return unsafe inflate(&stream, Z_FINISH)
      }
    }
    let left = unsafe (input: stream.avail_in, output: stream.avail_out)
    switch status {
    case Z_STREAM_END:
      guard left.input == 0 else { throw .notOneFrame }
      return Int(room - left.output)
    case Z_BUF_ERROR: throw left.output == 0 ? .wrongLength : .damaged
    case Z_MEM_ERROR: throw .unavailable
    default: throw .damaged
    }
  }
}

/// The checksum of ZIP files.
public enum CRC32 {
  /// Computes it over bytes that are all there, at most 4 GiB.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      return UInt32(truncatingIfNeeded: unsafe crc32_z(0, start, bytes.count))
    }
  }
}
