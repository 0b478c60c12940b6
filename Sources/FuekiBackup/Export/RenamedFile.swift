/// A file of an export under another name than its own: the file system rejects that, or another file has it.
public struct RenamedFile: Equatable, Sendable {
  /// Its original place, or its path below its source if the place is unknown, for people.
  public let path: String
  /// Its path below the export's directory, for people.
  public let written: String
}
