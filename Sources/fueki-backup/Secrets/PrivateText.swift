internal import FuekiCrypto
internal import FuekiSystem

/// Small text files with a secret in them, which go from the disk into memory that is wiped.
enum PrivateText {
  private static let mostBytes = 1 << 16

  /// A file's text as UTF-8 without a byte order mark.
  ///
  /// - Parameters:
  ///   - path: of a file that only its owner can read.
  ///   - kind: the rest of "it is too long for".
  /// - Returns: the text, in memory that is wiped.
  /// - Throws: ``CommandError/secretUnreadable(source:reason:)``, and what reading throws.
  static func read(_ path: String, as kind: String) throws -> SecretBytes {
    guard let saved = try PrivateFile.bytes(path, atMost: mostBytes) else {
      throw CommandError.secretUnreadable(source: path, reason: "it is too long for \(kind)")
    }
    guard let text = try utf8(saved) else {
      throw CommandError.secretUnreadable(source: path, reason: "it is damaged UTF-16: save it as UTF-8")
    }
    return text
  }

  /// A saved text as UTF-8 without its mark; nil for damaged UTF-16.
  static func utf8(_ saved: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    var text = try SecretBytes(count: SavedText.capacity(for: saved.count))
    let count = text.withMutableBytes { text in saved.withBytes { SavedText.write($0, asUTF8: &text) } }
    guard let count else { return nil }
    return try text.copy(0..<count)
  }
}
