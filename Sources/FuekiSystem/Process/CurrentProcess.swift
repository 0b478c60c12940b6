internal import Glibc

/// This process.
public enum CurrentProcess {
  /// Its number.
  public static var identifier: Int32 { getpid() }

  /// Its executable, as the system resolves it: good for starting the same program again.
  public static var executable: String { "/proc/self/exe" }
}
