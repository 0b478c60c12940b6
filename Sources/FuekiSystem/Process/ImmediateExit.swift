internal import Glibc

/// The immediate end of this process.
public enum ImmediateExit {
  /// Ends the process without waiting for its threads, of which one is blocked in a call.
  public static func exit(status: Int32) -> Never { _exit(status) }
}
