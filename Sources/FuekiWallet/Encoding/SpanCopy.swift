extension Array where Element == UInt8 {
  /// Appends the bytes of a span.
  mutating func append(copying bytes: Span<UInt8>) {
    append(addingCapacity: bytes.count) { output in
      for i in bytes.indices { output.append(bytes[i]) }
    }
  }
}
