/// The limits of an export, as in fueki-backup-export(1).
///
/// Exceeding one removes the whole export and throws ``ExportLimitError``.
package enum ExportLimits {
  /// The files and folders below `files/`, or of secrets: each of these becomes up to three files.
  package static let entries = 4 * BackupLimits.files
  /// The number of separate pieces of a file while others are still to come.
  package static let pieces = 1 << 14
  /// How much longer than all that its section holds a file may be, where parts of it are missing.
  static let missingByteCount: UInt64 = 64 << 20

  /// All lines or rows of a section that has so many bytes in the archive: they are two to four times as long in any
  /// wallet's archive.
  static func lineBytes(of section: UInt64) -> UInt64 { (16 << 20) + min(section, 1 << 48) * 32 }

  /// A file of a section that has so many bytes in the archive; of secrets, whose index does not say, so many so far.
  static func fileBytes(of section: UInt64) -> UInt64 { missingByteCount + min(section, 1 << 48) }
}
