internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Formats file names for people.
enum FileName {
  /// Returns the name, with invalid UTF-8 and control characters as `\xNN`.
  static func text(_ name: [UInt8]) -> String {
    if let text = String(validating: name, as: UTF8.self), !text.unicodeScalars.contains(where: isControl) {
      return text
    }
    return name.map { byte in
      0x20..<0x7F ~= byte ? String(Unicode.Scalar(byte)) : "\\x" + Hex.encode([byte])
    }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
