/// Why bytes are not a frame as the archive format wants it, or why compressing failed.
public enum CompressionError: Error, Equatable, Sendable {
  /// Not exactly one zstd frame: another magic number, or bytes after the frame.
  case notOneFrame
  /// The frame's content size is another than expected.
  case wrongLength
  /// The frame wants a window of this many bytes, which is over the limit.
  case windowTooLarge(UInt64)
  /// The frame's content would be this many bytes, which is over the limit.
  case contentTooLarge(UInt64)
  /// The frame carries a checksum.
  case hasChecksum
  /// The frame wants a dictionary.
  case hasDictionary
  /// The frame does not say how long its content is.
  case noContentSize
  /// The frame is cut short, or does not decode to what its header says.
  case damaged
  /// There is no memory for the library's working state.
  case unavailable
}
