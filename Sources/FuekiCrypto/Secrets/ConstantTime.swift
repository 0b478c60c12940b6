internal import CSodium

/// Comparison in constant time.
public enum ConstantTime {
  /// Compares in a time that depends on the lengths only.
  public static func areEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe a.withUnsafeBufferPointer { a in
      unsafe b.withUnsafeBufferPointer { b in
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return unsafe sodium_memcmp(first, second, a.count) == 0
      }
    }
  }
}
