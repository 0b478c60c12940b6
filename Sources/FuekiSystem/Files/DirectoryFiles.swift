internal import Glibc

extension Directory {
  /// Opens a regular file in this directory for reading.
  ///
  /// - Throws: in addition to errors of opening, `EISDIR` for a directory, or `EINVAL` for a pipe or device.
  public borrowing func openFile(_ name: some PathBytes) throws(SystemError) -> File {
    // Without O_NONBLOCK, a pipe planted under the name would block the open forever.
    try openRegular(CPath(component: name), O_RDONLY | O_NONBLOCK)
  }

  /// Opens a regular file in this directory for reading and writing.
  public borrowing func openFileForWriting(_ name: some PathBytes) throws(SystemError) -> File {
    try openRegular(CPath(component: name), O_RDWR | O_NONBLOCK)
  }

  private borrowing func openRegular(_ name: CPath, _ flags: Int32) throws(SystemError) -> File {
    let path = childPath(name)
    let descriptor = descriptor
    let child = try StallWatch.during(path) { () throws(SystemError) in
      try systemCall("openat", path) {
        unsafe name.withPointer { unsafe openat(descriptor, $0, flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY) }
      }
    }
    let file = File(descriptor: child, path: path)
    switch try file.status().kind {
    case .file: return file
    case .directory: throw SystemError(code: EISDIR, call: "openat", path: path)
    case .symbolicLink, .other: throw SystemError(code: EINVAL, call: "openat", path: path)
    }
  }

  /// Creates a new file, open for reading and writing, with exactly these permissions whatever the umask.
  ///
  /// ``File/hasRequestedPermissions`` tells whether the file system accepted them.
  /// - Throws: an error with ``SystemError/isAlreadyThere`` if the name is taken, even by a dangling link.
  public borrowing func createFile(
    _ name: some PathBytes, permissions: UInt16 = 0o600
  ) throws(SystemError) -> File {
    let name = try CPath(component: name)
    let path = childPath(name)
    let watch = StallWatch.beginWrite(path)
    defer { StallWatch.end(watch) }
    // A sandbox lets no right be given to others later. The umask is the whole process's, so that it is back at once.
    let mask = permissions & 0o077 == 0 ? nil : umask(0)
    defer { if let mask { _ = umask(mask) } }
    let child = try systemCall("openat", path) {
      unsafe name.withPointer {
        unsafe openat(
          descriptor, $0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(permissions))
      }
    }
    var file = File(descriptor: child, path: path)
    do {
      file.hasRequestedPermissions = try setPermissions(permissions, of: child, path)
    } catch {
      try? remove(name.bytes)
      throw error
    }
    return file
  }

  /// Creates a file without a name, open for reading and writing.
  ///
  /// It disappears when it closes, for any reason.
  public borrowing func createUnnamedFile() throws(SystemError) -> File {
    let name = ".fueki-\(UInt64.random(in: .min ... .max))"
    let file = try createFile(name)
    try remove(name)
    return file
  }

  /// Opens a file for reading and writing, or creates it (0600) if missing: for lock files.
  public borrowing func openOrCreateFile(_ name: some PathBytes) throws(SystemError) -> File {
    while true {
      do {
        return try createFile(name)
      } catch let error where error.code == EEXIST {
        do {
          return try openFileForWriting(name)
        } catch let error where error.code == ENOENT {
          continue
        }
      }
    }
  }

  /// Removes the name of a file or link.
  public borrowing func remove(_ name: some PathBytes) throws(SystemError) {
    try unlink(name, flags: 0, "unlinkat")
  }

  /// Removes an empty directory.
  public borrowing func removeDirectory(_ name: some PathBytes) throws(SystemError) {
    try unlink(name, flags: AT_REMOVEDIR, "rmdir")
  }

  private borrowing func unlink(
    _ name: some PathBytes, flags: Int32, _ call: StaticString
  ) throws(SystemError) {
    let name = try CPath(component: name)
    let watch = StallWatch.beginWrite(path)
    defer { StallWatch.end(watch) }
    _ = try systemCall(call, childPath(name)) {
      unsafe name.withPointer { unsafe unlinkat(descriptor, $0, flags) }
    }
  }

  /// Removes an entry, recursively if it is a directory.
  ///
  /// Links are removed, not followed.
  public borrowing func removeTree(_ name: some PathBytes) throws(SystemError) {
    guard try status(of: name).kind == .directory else { return try remove(name) }
    try removeContents(of: name)
    try removeDirectory(name)
  }

  private borrowing func removeContents(of name: some PathBytes) throws(SystemError) {
    let directory = try openDirectory(name)
    for entry in try directory.list() {
      try directory.removeTree(entry.name)
    }
  }
}
