internal import FuekiSystem

/// Short text files that options name: keys, recipients, guardians, checkpoints.
enum TextFile {
  private static let byteLimit = 1 << 20

  /// The text of a file; bytes that are none stand for themselves as U+FFFD.
  ///
  /// - Throws: what the system refuses, a file that is too long included.
  static func text(at path: String) throws(SystemError) -> String {
    String(decoding: try File.open(path).readAll(limit: byteLimit), as: UTF8.self)
  }

  /// The same of a file that decides who can read backups.
  ///
  /// - Throws: what ``TrustedFile`` throws, and what the system refuses.
  static func trustedText(at path: String) throws -> String {
    String(decoding: try TrustedFile.open(path).readAll(limit: byteLimit), as: UTF8.self)
  }

  /// The lines of such a file, as ``lines(at:)``.
  static func trustedLines(at path: String) throws -> [String] {
    try trustedText(at: path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  /// Its lines, empty ones too, so that their numbers are those that an editor shows.
  static func lines(at path: String) throws(SystemError) -> [String] {
    try text(at: path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
