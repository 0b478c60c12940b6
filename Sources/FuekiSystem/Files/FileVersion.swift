internal import Glibc

/// A file's number, length and times, which change with its bytes.
///
/// Only a process with the rights of root can change the bytes and leave all of them as they were.
public struct FileVersion: Sendable, Hashable {
  /// The file's number in its file system.
  public let inode: UInt64
  /// The length in bytes.
  public let size: UInt64
  /// The modification time, which the owner can set.
  public let modificationTime: FileTime
  /// The time of the last change to the bytes or the status, which only the kernel sets.
  public let changeTime: FileTime

  fileprivate init(_ status: stat) {
    (inode, size) = (UInt64(status.st_ino), UInt64(clamping: status.st_size))
    modificationTime = FileTime(
      seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    changeTime = FileTime(
      seconds: Int64(status.st_ctim.tv_sec), nanoseconds: Int64(status.st_ctim.tv_nsec))
  }
}

extension Directory {
  /// Returns an entry's status, and the version that the file had at the same moment.
  ///
  /// A symbolic link is described, not followed.
  public borrowing func statusAndVersion(
    of name: some PathBytes
  ) throws(SystemError) -> (status: FileStatus, version: FileVersion) {
    let status = try systemStatus(of: name)
    return (FileStatus(status), FileVersion(status))
  }
}
