internal import Glibc

/// The status of a file or directory.
public struct FileStatus: Sendable, Equatable {
  /// The kind of file.
  public let kind: FileKind
  /// The length in bytes.
  public let size: UInt64
  /// The permission bits, `0o000`…`0o7777`.
  public let permissions: UInt16
  /// The owner's user id.
  public let owner: UInt32
  /// The group's id.
  public let group: UInt32
  /// The modification time.
  public let modificationTime: FileTime
  /// The file system's number.
  ///
  /// Together with ``inode`` it identifies the file.
  public let device: UInt64
  /// The file's number in its file system.
  public let inode: UInt64
  /// The number of the file's names.
  public let linkCount: UInt64

  /// Describes a file that another process of this program has opened.
  package init(
    kind: FileKind, size: UInt64, permissions: UInt16, owner: UInt32, group: UInt32,
    modificationTime: FileTime,
    device: UInt64, inode: UInt64, linkCount: UInt64
  ) {
    (self.kind, self.size, self.permissions, self.owner, self.group) = (kind, size, permissions, owner, group)
    (self.modificationTime, self.device, self.inode, self.linkCount) = (
      modificationTime, device, inode, linkCount
    )
  }

  /// Returns the status of a path, without opening it or any directory in it.
  ///
  /// - Parameters:
  ///   - path: the path, in which links to directories are followed.
  ///   - symbolicLinks: whether a final link is followed or described itself.
  /// - Returns: the status.
  /// - Throws: errors of the system, with ``SystemError/isNotFound`` if there is no such file.
  public static func of(
    _ path: some PathBytes, symbolicLinks: File.SymbolicLinks = .follow
  ) throws(SystemError) -> FileStatus {
    let name = try CPath(path)
    let flags = symbolicLinks == .refuse ? AT_SYMLINK_NOFOLLOW : 0
    return try StallWatch.during(name.text) { () throws(SystemError) in
      var status = stat()
      _ = try systemCall("fstatat", name.text) {
        unsafe name.withPointer { unsafe fstatat(AT_FDCWD, $0, &status, flags) }
      }
      return FileStatus(status)
    }
  }

  init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    size = UInt64(clamping: status.st_size)
    permissions = UInt16(status.st_mode & 0o7777)
    owner = status.st_uid
    group = status.st_gid
    modificationTime = FileTime(
      seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    linkCount = UInt64(status.st_nlink)
  }

  /// Whether both describe the same file, under any names.
  public func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

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
