/// Why an archive is not exported: it would become far more than it is.
public enum ExportLimitError: Error, Equatable, Sendable {
  /// A section's lines would be far more than its records.
  case lines(section: String)
  /// A part of a file is far beyond everything that the archive holds of such files.
  case file(section: String)
  /// A file is in more pieces than any file is.
  case pieces(section: String)
  /// There are more files and folders than any wallet has.
  case entries(section: String)
}
