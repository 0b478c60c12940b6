internal import CProcess

/// The processors that this process may use.
public enum Processors {
  /// The number of usable processors, at least 1.
  ///
  /// It respects the affinity mask, but not a quota of processor time.
  public static var count: Int { Int(fueki_usable_processors()) }
}
