internal import FuekiCompression

extension FuzzTarget {
  /// A block's plaintext length in three bytes, and its zstd frame.
  static let frame = FuzzTarget("frame") { input in
    guard input.count >= 3 else { return }
    let length = Int(input[0]) | Int(input[1]) << 8 | Int(input[2]) << 16
    let plaintext = try ZstdFrame.decompress(input.span.extracting(3...), plaintextLength: length)
    precondition(plaintext.count == length, "a frame has another length than was asked for")
  }
}
