/// CRC-32 with Castagnoli's polynomial, as in LND's seeds and, masked, in LevelDB's records and blocks.
enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }

  /// Returns the plain checksum; see RFC 3720 section 12.1.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }

  /// Returns LevelDB's masked checksum, rotated and offset so that checksums of data with embedded checksums
  /// are not weaker.
  static func masked(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let sum = of(bytes)
    return (sum >> 15 | sum << 17) &+ 0xA282_EAD8
  }
}
