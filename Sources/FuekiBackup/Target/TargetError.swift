/// A fault in a place for archives.
public enum TargetError: Error, Equatable, Sendable {
  /// There is no such target.
  case noTarget(path: String)
  /// The target is there, on another file system than when this machine's archives were put into it, and has none.
  case otherFileSystem(path: String)
  /// The text `rclone:` is not followed by a remote's name and a colon.
  case malformedTarget(path: String)
  /// The archive read back differs from the written one.
  case readBackDiffers(path: String)
  /// The remote's checksum of the received file differs from that of the sent one.
  case checksumDiffers(path: String, kind: String)
  /// Files are only added to the target.
  case appendOnly(path: String)
  /// No target has a whole copy of an archive that others lack.
  case noWholeCopy(sequence: UInt64)
  /// The target's file of an archive that it should have is damaged.
  case damagedCopy(path: String, sequence: UInt64)
  /// An archive with private keys was made for targets that only its owner sees.
  case holdsPrivateKeys(path: String)
}
