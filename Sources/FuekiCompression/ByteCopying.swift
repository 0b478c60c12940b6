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
