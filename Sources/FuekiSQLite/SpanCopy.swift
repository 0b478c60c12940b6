extension [UInt8] {
  /// Appends the bytes of a span in one operation.
  @inlinable
  public mutating func append(span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
