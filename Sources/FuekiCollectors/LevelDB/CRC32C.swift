/// The checksum of LevelDB's records and blocks: CRC-32 with Castagnoli's polynomial, disguised.
enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0x82F6_3B78 : sum >> 1 }
  }

  /// The checksum as files have it: turned and moved, so that a checksum of data with checksums in it is no weaker.
  static func masked(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let sum = ~bytes.reduce(~UInt32(0)) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    return (sum >> 15 | sum << 17) &+ 0xA282_EAD8
  }
}
