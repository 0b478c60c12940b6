private import FuekiCrypto

extension [UInt8] {
  /// The archive with other seals in both trailers and correct check fields, which anyone can make without a
  /// secret.
  package var withOtherSeals: [UInt8] {
    var bytes = self
    for start in trailers {
      for offset in start + 184..<start + 232 { bytes[offset] ^= 0x55 }
      bytes.repairCheck(ofTrailerAt: start)
    }
    return bytes
  }

  /// The offsets of the archive's two trailers.
  private var trailers: [Int] {
    let end: [UInt8] = [0x0a, 0x1a, 0x0a, 0x0d, 0x41, 0x4b, 0x46, 0x89]
    return indices.dropLast(255).filter {
      self[$0 + 248] == end[0] && Array(self[$0 + 248..<$0 + 256]) == end
    }
  }

  private mutating func repairCheck(ofTrailerAt start: Int) {
    let check = SHA256.hash(Array("fueki/1 trailer".utf8) + self[start..<start + 240])
    replaceSubrange(start + 240..<start + 248, with: check.bytes.prefix(8))
  }
}
