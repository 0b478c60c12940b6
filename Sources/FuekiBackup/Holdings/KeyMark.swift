internal import FuekiWallet

/// The salt of an encrypted wallet's file that shows no key.
///
/// Its program keeps the salt when it saves the wallet or changes the password, and draws one for each new wallet. So
/// another salt tells of another wallet. The same salt proves nothing.
enum KeyMark {
  private static let sparrow = "sparrow-wallet"
  private static let prefix = "salt-"
  private static let saltCount = 16

  /// Returns the mark of a file.
  ///
  /// - Parameters:
  ///   - format: the format that the collector recognized.
  ///   - beginning: the file's first bytes.
  /// - Returns: nil if the file has none.
  static func mark(format: String, _ beginning: Span<UInt8>) -> String? {
    guard format == sparrow else { return nil }
    // A database of H2 with its own salt, which changes with the password, or an earlier version's text in Base64.
    if let salt = salt(in: beginning, after: "H2encrypt\n", skipping: 8, then: "SPRW1\n") {
      return mark("database", salt)
    }
    return salt(in: beginning, after: "U1BSVz", skipping: 0, then: "").map { mark("text", $0) }
  }

  /// Whether two keys, or two marks of one form, tell by their difference that the wallets differ.
  ///
  /// A wallet that was encrypted since, or whose address is shown tonight and was not before, may be the same.
  static func areComparable(_ first: String, _ second: String) -> Bool { form(of: first) == form(of: second) }

  private static func form(of key: String) -> Substring {
    key.hasPrefix(prefix) ? key.prefix { $0 != ":" } : ""
  }

  private static func mark(_ form: String, _ salt: [UInt8]) -> String {
    "\(prefix)\(form):" + ShortDigest.hex("salt", [salt])
  }

  private static func salt(
    in bytes: Span<UInt8>, after first: String, skipping gap: Int, then second: String
  ) -> [UInt8]? {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    let start = first.count + gap + second.count
    guard bytes.count >= start + saltCount, has(first, at: 0, bytes),
      has(second, at: first.count + gap, bytes)
    else { return nil }
    return bytes.extracting(start..<start + saltCount).copied()
  }

  private static func has(_ text: [UInt8], at place: Int, _ bytes: Span<UInt8>) -> Bool {
    text.indices.allSatisfy { bytes[place + $0] == text[$0] }
  }
}
