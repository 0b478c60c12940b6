internal import Glibc

/// An open directory; all work on its entries goes through it, so that nobody can swap the path meanwhile.
///
/// Names are single components. Symbolic links are never followed: where one is planted, opening fails.
public struct Directory: ~Copyable, Sendable {
  let descriptor: Int32
  /// The path that the directory was opened by, for messages.
  public let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { _ = close(descriptor) }

  /// Opens a directory by a path that a person gave; symbolic links in it are followed.
  public static func open(_ path: some PathBytes) throws(SystemError) -> Directory {
    let name = try CPath(path)
    let descriptor = try StallWatch.during(name.text) { () throws(SystemError) in
      try systemCall("open", name.text) {
        unsafe name.withPointer { unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      }
    }
    return Directory(descriptor: descriptor, path: name.text)
  }

  /// Makes a directory and all that lead to it where they are missing, each for its owner only (0700).
  public static func makePrivateDirectories(_ path: some PathBytes) throws(SystemError) {
    try makeDirectories(path, permissions: 0o700)
  }

  /// Makes a directory and all that lead to it where they are missing, with these permissions whatever the umask.
  public static func makeDirectories(_ path: some PathBytes, permissions: UInt16) throws(SystemError) {
    let bytes = path.pathBytes
    var end = 0
    while end < bytes.count {
      end = bytes[(end + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      let name = try CPath([UInt8](bytes[..<end]))
      do {
        _ = try systemCall("mkdir", name.text) { unsafe name.withPointer { unsafe mkdir($0, 0o700) } }
        _ = unsafe name.withPointer { unsafe chmod($0, mode_t(permissions)) }
      } catch let error where error.code == EEXIST || error.code == EROFS || error.code == EACCES {
        // What exists need not be writable; what is missing shows when it is opened below.
        continue
      }
    }
    _ = try open(path)
  }

  func childPath(_ name: CPath) -> String { path.hasSuffix("/") ? path + name.text : "\(path)/\(name.text)" }

  /// Opens a directory in this one.
  public borrowing func openDirectory(_ name: some PathBytes) throws(SystemError) -> Directory {
    let name = try CPath(component: name)
    let path = childPath(name)
    let child = try systemCall("openat", path) {
      unsafe name.withPointer {
        unsafe openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      }
    }
    return Directory(descriptor: child, path: path)
  }

  /// Makes a directory for its owner only (0700); where it cannot be made so, none is left.
  ///
  /// - Returns: false where the file system has no permissions to set.
  @discardableResult
  public borrowing func makeDirectory(_ name: some PathBytes) throws(SystemError) -> Bool {
    let name = try CPath(component: name)
    let path = childPath(name)
    _ = try systemCall("mkdirat", path) { unsafe name.withPointer { unsafe mkdirat(descriptor, $0, 0o700) } }
    do {
      let child = try openDirectory(name.bytes)
      return try setPermissions(0o700, of: child.descriptor, path)
    } catch {
      try? removeDirectory(name.bytes)
      throw error
    }
  }

  /// What the file system says about an entry; a symbolic link is described, not followed.
  public borrowing func status(of name: some PathBytes) throws(SystemError) -> FileStatus {
    let name = try CPath(component: name)
    var status = stat()
    _ = try systemCall("fstatat", childPath(name)) {
      unsafe name.withPointer { unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
    }
    return FileStatus(status)
  }

  /// Whether an entry of that name exists, of whatever kind.
  public borrowing func contains(_ name: some PathBytes) throws(SystemError) -> Bool {
    do {
      _ = try status(of: name)
      return true
    } catch let error where error.code == ENOENT {
      return false
    }
  }

  /// What the file system says about the directory itself.
  public borrowing func status() throws(SystemError) -> FileStatus {
    var status = stat()
    let path = path
    _ = try systemCall("fstat", path) { unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Waits until the entries (made, renamed and removed names) are on the device.
  ///
  /// - Returns: false where the file system does not do this for directories.
  @discardableResult
  public borrowing func sync() throws(SystemError) -> Bool {
    let path = path
    let watch = StallWatch.beginWrite(path)
    defer { StallWatch.end(watch) }
    do {
      _ = try systemCall("fsync", path) { fsync(descriptor) }
      return true
    } catch let error where error.isUnsupported || error.code == EPERM {
      return false
    }
  }

  /// What tells the file system from others, also after it was mounted anew, or the machine started; 0 where nothing
  /// does.
  public borrowing func fileSystem() throws(SystemError) -> UInt64 {
    var status = statvfs()
    let path = path
    _ = try systemCall("fstatvfs", path) { unsafe fstatvfs(descriptor, &status) }
    return UInt64(status.f_fsid)
  }

  /// How many bytes this user may still write to the file system.
  public borrowing func freeBytes() throws(SystemError) -> UInt64 {
    var status = statvfs()
    let path = path
    _ = try systemCall("fstatvfs", path) { unsafe fstatvfs(descriptor, &status) }
    // Some network and user-space file systems do not count.
    guard status.f_blocks > 0 else { return .max }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : bytes
  }
}

/// Sets permissions whatever the umask was.
///
/// Returns false where the file system has none to set, such as FAT or some network mounts.
func setPermissions(_ permissions: UInt16, of descriptor: Int32, _ path: String) throws(SystemError) -> Bool {
  do {
    _ = try systemCall("fchmod", path) { fchmod(descriptor, mode_t(permissions)) }
    return true
  } catch let error where error.code == EPERM || error.isUnsupported {
    return false
  }
}
