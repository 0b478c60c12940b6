package import FuekiArchive

/// Reads numbers and lengths in Bitcoin's formats.
extension ByteReader {
  /// Reads a big-endian number of up to eight bytes.
  package mutating func bigEndian(_ byteCount: Int) throws(Exhausted) -> UInt64 {
    try bytes(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a variable-length number (CompactSize).
  package mutating func compactSize() throws(Exhausted) -> UInt64 {
    switch try u8() {
    case 0xFD: UInt64(try u16())
    case 0xFE: UInt64(try u32())
    case 0xFF: try u64()
    case let first: UInt64(first)
    }
  }

  /// Reads bytes after a CompactSize that counts them.
  package mutating func counted() throws(Exhausted) -> [UInt8] {
    try bytes(Int(clamping: try compactSize()))
  }
}
