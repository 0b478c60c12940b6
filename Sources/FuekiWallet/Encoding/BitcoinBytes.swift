package import FuekiArchive

/// Numbers and lengths as Bitcoin's programs write them.
extension ByteReader {
  /// A number of up to eight bytes, its highest byte first.
  package mutating func bigEndian(_ byteCount: Int) throws(Exhausted) -> UInt64 {
    try bytes(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Bitcoin's number of changing length.
  package mutating func compactSize() throws(Exhausted) -> UInt64 {
    switch try u8() {
    case 0xFD: UInt64(try u16())
    case 0xFE: UInt64(try u32())
    case 0xFF: try u64()
    case let first: UInt64(first)
    }
  }

  /// Bytes behind such a number of them.
  package mutating func counted() throws(Exhausted) -> [UInt8] {
    try bytes(Int(clamping: try compactSize()))
  }
}
