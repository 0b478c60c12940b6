/// A file system's timestamp.
public struct FileTime: Sendable, Hashable, Comparable {
  /// Seconds since 1970.
  public let seconds: Int64
  /// Nanoseconds within the second, 0…999,999,999.
  public let nanoseconds: Int64

  /// Creates a timestamp from its parts.
  public init(seconds: Int64, nanoseconds: Int64) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Orders by time.
  public static func < (a: FileTime, b: FileTime) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}
