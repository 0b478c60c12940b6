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

  private static let suffix = ".tmp"

  /// Returns the prefix of a temporary file's name, shortened to leave room for the suffix.
  private static func prefix(of name: String) -> String {
    var head = Substring(name)
    while head.utf8.count > 200 { head.removeLast() }
    return ".\(head)."
  }

  /// Writes a file atomically, and makes it durable.
  ///
  /// It is written under a unique temporary name, read back, and renamed. Leftovers of interrupted runs are
  /// removed first.
  ///
  /// - Parameters:
  ///   - bytes: all of the contents.
  ///   - name: the final name.
  ///   - permissions: the permissions, whatever the umask.
  ///   - replacing: whether an existing file of that name is replaced.
  /// - Throws: an error with ``SystemError/isAlreadyThere`` if the name is taken and not replaced; errors of
  ///   writing and reading, which leave nothing behind.
  public borrowing func writeWhole(
    _ bytes: Span<UInt8>, as name: String, permissions: UInt16 = 0o600, replacing: Bool
  ) throws(SystemError) {
    try writeWhole(as: name, permissions: permissions, replacing: replacing) { (give) throws(SystemError) in
      try give(bytes)
    }
  }

  /// Writes a file in pieces as ``writeWhole(_:as:permissions:replacing:)-(Span<UInt8>,_,_,_)`` does.
  ///
  /// - Parameters:
  ///   - name: the final name.
  ///   - permissions: the permissions, whatever the umask.
  ///   - replacing: whether an existing file of that name is replaced.
  ///   - pieces: generates the contents piece by piece; called twice, because they are compared with the
  ///     file.
  /// - Throws: the other method's errors, and those of `pieces`.
  public borrowing func writeWhole(
    as name: String, permissions: UInt16 = 0o600, replacing: Bool, pieces: Pieces
  ) throws(SystemError) {
    removeAbandoned(of: name)
    let temporary =
      "\(Self.prefix(of: name))\(String(UInt64.random(in: .min ... .max), radix: 16))\(Self.suffix)"
    do {
      try write(pieces, to: temporary, permissions)
      try rename(temporary, to: name, replacing: replacing)
    } catch {
      try? remove(temporary)
      throw error
    }
    try sync()
  }

  /// Generates a file's contents from start to end.
  public typealias Pieces =
    (_ give: (Span<UInt8>) throws(SystemError) -> Void) throws(SystemError) -> Void

  /// Writes all bytes of an array as ``writeWhole(_:as:permissions:replacing:)-(Span<UInt8>,_,_,_)`` does.
  public borrowing func writeWhole(
    _ bytes: [UInt8], as name: String, permissions: UInt16 = 0o600, replacing: Bool
  ) throws(SystemError) {
    try writeWhole(bytes.span, as: name, permissions: permissions, replacing: replacing)
  }

  private borrowing func write(
    _ pieces: Pieces, to name: String, _ permissions: UInt16
  ) throws(SystemError) {
    let file = try createFile(name, permissions: permissions)
    // The writer holds a lock, so that other runs do not mistake the file for a leftover.
    _ = try? file.tryLockExclusive()
    var length: UInt64 = 0
    try pieces { (piece) throws(SystemError) in
      try file.pwriteAll(piece, at: length)
      length += UInt64(piece.count)
    }
    try file.sync()
    var compared: UInt64 = 0
    var isSame = try file.size() == length
    try pieces { (piece) throws(SystemError) in
      if isSame { isSame = try file.holds(piece, at: compared) }
      compared += UInt64(piece.count)
    }
    guard isSame, compared == length else { throw SystemError(code: EIO, call: "pread", path: file.path) }
  }

  /// Removes leftovers of interrupted writes of a file.
  public borrowing func removeAbandoned(of name: String) {
    guard let entries = try? list() else { return }
    for entry in entries where entry.kind == .file {
      guard let found = entry.text, found.hasPrefix(Self.prefix(of: name)), found.hasSuffix(Self.suffix),
        let file = try? openFile(found), (try? file.tryLockExclusive()) == true
      else { continue }
      try? remove(found)
    }
  }
}

extension File {
  /// Whether the file has these bytes at an offset within it.
  ///
  /// They are compared in the kernel's cache, without copying possible secrets.
  fileprivate borrowing func holds(_ bytes: Span<UInt8>, at offset: UInt64) throws(SystemError) -> Bool {
    let descriptor = descriptor
    // A mapping starts at a page boundary.
    let before = Int(offset % UInt64(getpagesize()))
    let start = try fileOffset(offset - UInt64(before), path)
    let (answer, code) = unsafe bytes.withUnsafeBufferPointer { buffer -> (Bool, Int32) in
      guard let base = buffer.baseAddress, buffer.count > 0 else { return (true, 0) }
      let length = before + buffer.count
      guard let pages = unsafe mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, start),
        unsafe pages != MAP_FAILED
      else { return (false, errno) }
      defer { _ = unsafe munmap(pages, length) }
      return (unsafe memcmp(pages + before, base, buffer.count) == 0, 0)
    }
    // A file system without mappings is not retried.
    guard code == 0 || code == ENODEV || code == EACCES else {
      throw SystemError(code: code, call: "mmap", path: path)
    }
    return answer || code != 0
  }
}
