internal import FuekiCrypto

/// The checksummed spelling of 20-byte addresses, by ERC-55.
enum AddressChecksum {
  /// Appends an address's 40 hexadecimal digits, in the case of its checksum.
  static func append(_ address: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    LowerHex.append(address, to: &output)
    let digest = Keccak256.hash(output.span.extracting(start...)).bytes
    for i in 0..<(output.count - start) {
      let nibble = i & 1 == 0 ? digest[i >> 1] >> 4 : digest[i >> 1] & 15
      if nibble >= 8, output[start + i] >= 0x61 { output[start + i] -= 0x20 }
    }
  }

  /// Whether the case of 40 hexadecimal digits matches their address's checksum.
  static func isRight(_ digits: Span<UInt8>) -> Bool {
    guard digits.count == 40 else { return false }
    var lower: [UInt8] = []
    lower.reserveCapacity(40)
    for i in digits.indices {
      let digit = digits[i]
      lower.append(0x41...0x5a ~= digit ? digit + 0x20 : digit)
    }
    let digest = Keccak256.hash(lower.span).bytes
    for i in 0..<40 where lower[i] >= 0x61 {
      let nibble = i & 1 == 0 ? digest[i >> 1] >> 4 : digest[i >> 1] & 15
      guard (digits[i] < 0x61) == (nibble >= 8) else { return false }
    }
    return true
  }
}
