internal import CZlib

/// Decodes DEFLATE data of other programs' files into a bounded output.
///
/// See RFC 1950 and RFC 1951.
public enum Inflate {
  /// The framing of the compressed data.
  public enum Wrapping: Sendable {
    /// No framing, as in ZIP files.
    case raw
    /// A zlib header and a checksum.
    case zlib
  }

  /// Decodes one complete stream, which must span the whole input.
  ///
  /// - Returns: the number of bytes written to the output.
  /// - Throws: ``CompressionError/wrongLength`` if the output is too short, ``CompressionError/damaged`` for
  ///   invalid or truncated data, ``CompressionError/notOneFrame`` if bytes follow, or
  ///   ``CompressionError/unavailable``.
  public static func decode(
    _ input: Span<UInt8>, wrapping: Wrapping, into output: inout MutableSpan<UInt8>
  ) throws(CompressionError) -> Int {
    guard let inputCount = UInt32(exactly: input.count), let room = UInt32(exactly: output.count) else {
      throw .wrongLength
    }
    // A negative number of bits means no header.
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
  /// Computes the checksum of complete data of at most 4 GiB.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      return UInt32(truncatingIfNeeded: unsafe crc32_z(0, start, bytes.count))
    }
  }
}

extension MutableSpan<UInt8> {
  /// Copies `count` bytes, which must be within both spans.
  ///
  /// A loop over bytes would take several times as long, because it would check each index.
  @inlinable
  package mutating func copy(_ source: Span<UInt8>, from start: Int, count: Int, to target: Int) {
    precondition(
      start >= 0 && target >= 0 && count >= 0 && count <= source.count - start
        && count <= self.count - target,
      "bytes are copied within their spans")
    unsafe withUnsafeMutableBufferPointer { output in
      unsafe source.withUnsafeBufferPointer { input in
        guard let input = input.baseAddress, let output = output.baseAddress else { return }
        unsafe (output + target).update(from: input + start, count: count)
      }
    }
  }

  /// Moves `count` bytes within the span.
  ///
  /// The ranges may overlap.
  @inlinable
  package mutating func move(from start: Int, count: Int, to target: Int) {
    precondition(
      start >= 0 && target >= 0 && count >= 0 && count <= self.count - max(start, target),
      "bytes are moved within their span")
    unsafe withUnsafeMutableBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe (base + target).update(from: base + start, count: count)
    }
  }
}
