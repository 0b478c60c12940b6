/// Why no file was put into its place.
public enum PlacingError: Error, Equatable, Sendable {
  /// The folder is another user's.
  case othersFolder(path: String)
  /// Other users can write to the folder.
  case sharedFolder(path: String)
  /// The folder's file system keeps no owner and no permissions, which the user does not accept.
  case unprotectedFolder(path: String)
  /// The archive is not the user's, and the folder is not empty.
  case notEmpty(path: String)
  /// The file read back differs from the written one.
  case readBackDiffers(path: String)
  /// The parts of files are interleaved in an order that this program never writes.
  case scattered
}
