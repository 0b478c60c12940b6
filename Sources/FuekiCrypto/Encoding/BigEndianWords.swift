/// Big-endian numbers of eight bytes, whose order is the order of their bytes.
extension Span<UInt8> {
  /// Reads eight bytes as a big-endian number.
  ///
  /// The caller ensures that they exist.
  package func word(at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = word << 8 | UInt64(self[index]) }
    return word
  }
}

extension [UInt8] {
  /// Appends a number as eight bytes, big-endian.
  package mutating func append(word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }
}
