/// A use of a file, with its evidence.
public struct FileUse: Sendable, Hashable {
  /// The evidence that a program is running.
  public enum Sign: String, Sendable {
    /// The program has the file open.
    case open
    /// The program holds a lock on the file.
    case lock
    /// The file exists only while the program runs, or after it was killed.
    case present
  }

  /// The evidence.
  public let sign: Sign
  /// The file's path.
  public let path: String
  /// The process id, or `nil` if it is unknown.
  public let process: Int32?
  /// The program's name according to the system, or `nil` if it is unknown.
  public let name: String?
}
