package import FuekiSources

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

/// Snappy's compressed blocks, as in LevelDB.
///
/// See the format's description, google/snappy, format_description.txt.
package enum Snappy {
  /// The number of output bytes between checks of the budget.
  private static let stepByteCount = 64 << 10

  /// Decompresses a block.
  ///
  /// - block: the compressed bytes.
  /// - limit: the maximum output in bytes.
  /// - work: the source's budget.
  /// - Returns: nil for invalid bytes, and for a block whose output would exceed the limit.
  package static func decompress(
    _ block: ArraySlice<UInt8>, limit: Int, work: WorkBudget
  ) throws -> [UInt8]? {
    var reader = LittleEndianReader(block)
    guard let count = reader.length(), count <= limit else { return nil }
    var output: [UInt8] = []
    // The block's stated size is not trusted for allocation.
    output.reserveCapacity(min(count, 64 * block.count))
    var paid = 0
    while !reader.isAtEnd {
      guard let tag = reader.take(1)?.first, append(tag, &reader, to: &output, count) else { return nil }
      if output.count - paid >= stepByteCount || reader.isAtEnd {
        try work.spend(output.count - paid, on: .bytesProduced)
        paid = output.count
      }
    }
    return output.count == count ? output : nil
  }

  private static func append(
    _ tag: UInt8, _ reader: inout LittleEndianReader, to output: inout [UInt8], _ total: Int
  ) -> Bool {
    let high = Int(tag >> 2)
    let (count, offset): (Int, Int)
    switch tag & 3 {
    case 0:
      let extra = high >= 60 ? reader.number(high - 59) : UInt64(high)
      guard let extra, extra < UInt64(total), let literal = reader.take(Int(extra) + 1),
        literal.count <= total - output.count
      else { return false }
      output += literal
      return true
    case 1:
      guard let low = reader.number(1) else { return false }
      (count, offset) = ((high & 7) + 4, (high >> 3) << 8 | Int(low))
    case 2:
      guard let far = reader.number(2) else { return false }
      (count, offset) = (high + 1, Int(far))
    default:
      guard let far = reader.number(4) else { return false }
      (count, offset) = (high + 1, Int(far))
    }
    guard 1...max(output.count, 1) ~= offset, offset <= output.count, count <= total - output.count else {
      return false
    }
    // The copied range may overlap the output of this copy.
    for _ in 0..<count { output.append(output[output.count - offset]) }
    return true
  }
}

/// Reads numbers and lengths in the formats of LevelDB and Snappy; nil at the end of the bytes.
struct LittleEndianReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads a number of up to eight bytes.
  mutating func number(_ count: Int) -> UInt64? {
    take(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a varint, lowest seven bits first.
  mutating func varint() -> UInt64? {
    var (value, shift) = (UInt64(0), UInt64(0))
    while shift < 64, let byte = take(1)?.first {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Reads a length; nil also if it is out of range.
  mutating func length() -> Int? { varint().flatMap { Int(exactly: $0) } }

  /// Reads bytes preceded by their length.
  mutating func counted() -> ArraySlice<UInt8>? { length().flatMap { take($0) } }
}
