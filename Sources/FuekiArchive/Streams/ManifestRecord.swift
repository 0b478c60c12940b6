/// The manifest's record as this module sees it: three digests in fields 1, 2 and 3, and opaque remaining
/// fields.
package enum ManifestRecord {
  private static let digestBytes = 32
  private static let lengthDelimited: UInt64 = 2

  static func byteCount(body: Int) -> Int { 3 * (2 + digestBytes) + body }

  static func encode(digests: [[UInt8]], body: [UInt8]) -> [UInt8] {
    var record: [UInt8] = []
    for (number, digest) in digests.enumerated() {
      record += [UInt8((number + 1) << 3 | 2), UInt8(digestBytes)] + digest
    }
    return record + body
  }

  /// Returns the three digests and the other fields, or nil unless fields 1, 2 and 3 occur once each.
  ///
  /// They may occur at any position, like the fields of any Protocol Buffers message.
  package static func decode(_ record: [UInt8]) -> (digests: [[UInt8]], body: [UInt8])? {
    var reader = ByteReader(record)
    var digests: [UInt64: [UInt8]] = [:]
    var body: [UInt8] = []
    do {
      while reader.remaining > 0 {
        let start = reader.position
        let key = try reader.varint()
        let value = try reader.fieldValue(wireType: key & 7)
        let number = key >> 3
        guard number > 0 else { return nil }
        guard number <= 3 else {
          body += record[start..<reader.position]
          continue
        }
        guard key & 7 == lengthDelimited, value.count == digestBytes,
          digests.updateValue(value, forKey: number) == nil
        else { return nil }
      }
    } catch { return nil }
    guard let profile = digests[1], let history = digests[2], let secrets = digests[3] else { return nil }
    return ([profile, history, secrets], body)
  }
}

extension ByteReader {
  /// Reads the value after a field's key.
  ///
  /// Groups are not part of the schema's language.
  fileprivate mutating func fieldValue(wireType: UInt64) throws(Exhausted) -> [UInt8] {
    switch wireType {
    case 0:
      _ = try varint()
      return []
    case 1: return try bytes(8)
    case 2:
      guard let count = Int(exactly: try varint()) else { throw Exhausted() }
      return try bytes(count)
    case 5: return try bytes(4)
    default: throw Exhausted()
    }
  }
}
