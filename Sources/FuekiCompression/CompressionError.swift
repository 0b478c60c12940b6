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
