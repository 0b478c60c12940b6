internal import FuekiSystem

/// Short text files that options name: keys, recipients, guardians, checkpoints.
enum TextFile {
  private static let byteLimit = 1 << 20

  /// The text of a file in UTF-8, or in UTF-16 with its mark; bytes that are neither become U+FFFD.
  ///
  /// - Throws: system errors, also for a file that is too long.
  static func text(at path: String) throws(SystemError) -> String {
    try text(of: try File.open(path), path)
  }

  /// Does the same for a file that determines the readers of backups.
  ///
  /// - Throws: errors from ``TrustedFile``, and system errors.
  static func trustedText(at path: String) throws -> String {
    try text(of: try TrustedFile.open(path), path)
  }

  /// The lines of such a file, as ``lines(at:)``.
  static func trustedLines(at path: String) throws -> [String] {
    lines(of: try trustedText(at: path))
  }

  /// Does the same for a file of signers' public keys.
  ///
  /// - Throws: errors from ``TrustedFile``, and system errors.
  static func publicKeys(at path: String) throws -> String {
    try text(of: try TrustedFile.open(path, isPublicKey: true), path)
  }

  /// Its lines, empty ones too, so that their numbers are those that an editor shows.
  static func lines(at path: String) throws(SystemError) -> [String] { lines(of: try text(at: path)) }

  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  private static func text(of file: borrowing File, _ path: String) throws(SystemError) -> String {
    guard let text = SavedText.utf8(try file.readAll(limit: byteLimit)) else {
      throw SystemError(
        .invalid, call: "read", path: path, explanation: "it is damaged UTF-16: save it as UTF-8")
    }
    return String(decoding: text, as: UTF8.self)
  }
}
