internal import Glibc

/// The user that this process acts for.
public enum CurrentUser {
  /// The effective user id.
  public static var identifier: UInt32 { geteuid() }
  /// The effective group id.
  public static var group: UInt32 { getegid() }
}
