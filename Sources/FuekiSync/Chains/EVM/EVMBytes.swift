internal import FuekiWallet

/// Bytes in a node's format.
enum EVMBytes {
  static func decode(_ digits: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.utf8.count / 2)
    var high: UInt8?
    for digit in digits.utf8 {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return high == nil ? bytes : nil
  }

  static func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "0x") { text, byte in
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }

  /// Returns an address as a log topic or a call's argument.
  static func word(_ address: EVMAddress) -> String {
    hex([UInt8](repeating: 0, count: 12) + address.bytes)
  }
}
