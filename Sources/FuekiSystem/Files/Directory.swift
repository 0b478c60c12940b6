internal import Glibc

/// An open directory.
///
/// All work on its entries goes through its descriptor, so that a swapped path has no effect.
///
/// Names are single components. Symbolic links are never followed: opening a planted one fails.
public struct Directory: ~Copyable, Sendable {
  let descriptor: Int32
  /// The path with which the directory was opened, for messages.
  public let path: String

  deinit { _ = close(descriptor) }

  /// Opens a directory by a user's path, following symbolic links.
  public static func open(_ path: some PathBytes) throws(SystemError) -> Directory {
    let name = try CPath(path)
    let descriptor = try StallWatch.during(name.text) { () throws(SystemError) in
      try systemCall("open", name.text) {
        unsafe name.withPointer { unsafe Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      }
    }
    return Directory(descriptor: descriptor, path: name.text)
  }

  /// Creates a directory and its missing parents, for their owner only (0700).
  public static func makePrivateDirectories(_ path: some PathBytes) throws(SystemError) {
    try makeDirectories(path, permissions: 0o700)
  }

  /// Creates a directory and its missing parents with these permissions, whatever the umask.
  public static func makeDirectories(_ path: some PathBytes, permissions: UInt16) throws(SystemError) {
    let bytes = path.pathBytes
    var end = 0
    while end < bytes.count {
      end = bytes[(end + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      let name = try CPath([UInt8](bytes[..<end]))
      do {
        _ = try systemCall("mkdir", name.text) {
          unsafe name.withPointer { unsafe mkdir($0, mode_t(permissions)) }
        }
        if let made = try? open(name.bytes) {
          _ = try? setPermissions(permissions, of: made.descriptor, name.text)
        } else {
          // The umask took away the right to open it. A sandbox refuses this.
          _ = unsafe name.withPointer { unsafe chmod($0, mode_t(permissions)) }
        }
      } catch let error where error.code == EEXIST || error.code == EROFS || error.code == EACCES {
        // An existing directory need not be writable. A missing one is noticed when it is opened below.
        continue
      }
    }
    _ = try open(path)
  }

  func childPath(_ name: CPath) -> String { path.hasSuffix("/") ? path + name.text : "\(path)/\(name.text)" }

  /// Opens a subdirectory.
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

  /// Creates a directory for its owner only (0700), or leaves none.
  ///
  /// - Returns: false if the file system does not support permissions.
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

  /// Returns an entry's status.
  ///
  /// A symbolic link is described, not followed.
  public borrowing func status(of name: some PathBytes) throws(SystemError) -> FileStatus {
    let name = try CPath(component: name)
    var status = stat()
    _ = try systemCall("fstatat", childPath(name)) {
      unsafe name.withPointer { unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
    }
    return FileStatus(status)
  }

  /// Whether an entry of that name exists, of any kind.
  public borrowing func contains(_ name: some PathBytes) throws(SystemError) -> Bool {
    do {
      _ = try status(of: name)
      return true
    } catch let error where error.code == ENOENT {
      return false
    }
  }

  /// Returns the directory's own status.
  public borrowing func status() throws(SystemError) -> FileStatus {
    var status = stat()
    let path = path
    _ = try systemCall("fstat", path) { unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Waits until the entries (created, renamed and removed names) are durable.
  ///
  /// - Returns: false if the file system does not support this for directories.
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

  /// Returns an identifier of the file system that survives remounts and reboots; 0 if there is none.
  public borrowing func fileSystem() throws(SystemError) -> UInt64 {
    var status = statvfs()
    let path = path
    _ = try systemCall("fstatvfs", path) { unsafe fstatvfs(descriptor, &status) }
    return UInt64(status.f_fsid)
  }

  /// Checks, without writing, that this user may make files in the directory.
  ///
  /// - Throws: the system error of a write.
  public borrowing func checkWritable() throws(SystemError) {
    let path = path
    _ = try systemCall("faccessat", path) {
      unsafe faccessat(descriptor, ".", W_OK | X_OK, Int32(AT_EACCESS))
    }
  }

  /// Whether the file system lets names only be added, as `chattr +a` asks of it; false where it has no such flag.
  public borrowing func onlyTakesNewNames() -> Bool {
    var flags: CInt = 0
    // FS_IOC_GETFLAGS and FS_APPEND_FL of linux/fs.h; the request's size is that of a long, what is written is an int.
    let request = UInt(2 << 30 | MemoryLayout<CLong>.size << 16 | 0x66 << 8 | 1)
    return unsafe ioctl(descriptor, request, &flags) == 0 && flags & 0x20 != 0
  }

  /// Returns the number of bytes that this user may still write to the file system.
  public borrowing func freeBytes() throws(SystemError) -> UInt64 {
    var status = statvfs()
    let path = path
    _ = try systemCall("fstatvfs", path) { unsafe fstatvfs(descriptor, &status) }
    // Some network and user-space file systems report no counts.
    guard status.f_blocks > 0 else { return .max }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : bytes
  }
}

/// Sets permissions whatever the umask.
///
/// A sandbox refuses those that others have a part in: they are given when a file is made, as far as the umask lets them.
///
/// Returns false if others may do more, because the file system does not support permissions, such as FAT or some network
/// mounts.
func setPermissions(_ permissions: UInt16, of descriptor: Int32, _ path: String) throws(SystemError) -> Bool {
  var status = stat()
  _ = try systemCall("fstat", path) { unsafe fstat(descriptor, &status) }
  let present = FileStatus(status).permissions
  guard present != permissions else { return true }
  do {
    _ = try systemCall("fchmod", path) { fchmod(descriptor, mode_t(permissions)) }
    return true
  } catch let error where error.code == EPERM || error.isUnsupported {
    return present & ~permissions == 0
  }
}

/// An entry of a directory.
public struct DirectoryEntry: Sendable, Hashable {
  /// The name's bytes, which are not necessarily UTF-8.
  public let name: [UInt8]
  /// The kind of entry.
  ///
  /// A symbolic link is not followed.
  public let kind: FileKind
  /// The name for people and for comparisons; nil if it is not UTF-8.
  public var text: String? { String(validating: name, as: UTF8.self) }
}

/// The kind of a directory entry.
public enum FileKind: Sendable, Hashable {
  /// A regular file.
  case file
  /// A directory.
  case directory
  /// A symbolic link, not followed.
  case symbolicLink
  /// A device, pipe or socket.
  case other

  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    default: self = .other
    }
  }
}

extension Directory {
  /// Returns the entries without `.` and `..`, ordered by their bytes.
  public borrowing func list() throws(SystemError) -> [DirectoryEntry] {
    let watch = StallWatch.begin(path)
    defer { StallWatch.end(watch) }
    let path = path
    // The stream needs its own descriptor, because it takes ownership, and reading moves the position.
    let copy = try systemCall("openat", path) {
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      _ = close(copy)
      throw SystemError(code: code, call: "fdopendir", path: path)
    }
    defer { _ = unsafe closedir(stream) }
    var entries: [DirectoryEntry] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw SystemError(code: errno, call: "readdir", path: path) }
        break
      }
      let name = unsafe nameBytes(of: entry)
      if name == [46] || name == [46, 46] { continue }
      if let kind = try unsafe kind(entry.pointee.d_type, of: name) {
        entries.append(DirectoryEntry(name: name, kind: kind))
      }
    }
    return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Returns the kind from the listing or, if it has none, from the entry itself; nil if it was removed.
  private borrowing func kind(_ type: UInt8, of name: [UInt8]) throws(SystemError) -> FileKind? {
    switch Int(type) {
    case DT_REG: return .file
    case DT_DIR: return .directory
    case DT_LNK: return .symbolicLink
    case DT_UNKNOWN:
      do {
        return try status(of: name).kind
      } catch let error where error.code == ENOENT {
        return nil
      }
    default: return .other
    }
  }
}

private func nameBytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
  guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
  // Read from the entry's address rather than the field, because names may exceed the declared array.
  let start = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: UInt8.self)
  let length = unsafe strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
  return unsafe [UInt8](UnsafeBufferPointer(start: start, count: length))
}
