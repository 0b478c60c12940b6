extension MutableSpan where Element == UInt8 {
  /// Copies bytes to a place in these, at the cost of one check.
  ///
  /// - Parameters:
  ///   - bytes: they fit: `start + bytes.count` is at most ``count``, which the caller has reckoned with.
  ///   - start: where the first of them goes, from 0.
  public mutating func write(_ bytes: Span<UInt8>, at start: Int) {
    precondition(start >= 0 && bytes.count <= count - start, "the bytes do not fit")
    unsafe withUnsafeMutableBufferPointer { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        unsafe (target + start).update(from: source, count: bytes.count)
      }
    }
  }
}
