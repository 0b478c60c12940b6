internal import CProcess
internal import Glibc

extension Directory {
  /// Renames an entry in this directory.
  ///
  /// With `replacing: true` an existing file of the new name is replaced atomically. With `replacing: false`
  /// it is kept, and the call fails with ``SystemError/isAlreadyThere``. This is atomic too if the file
  /// system supports `RENAME_NOREPLACE` or hard links. Otherwise the check comes first, and only a lock held
  /// by the caller keeps two writers apart.
  public borrowing func rename(
    _ name: some PathBytes, to newName: some PathBytes, replacing: Bool
  ) throws(SystemError) {
    let old = try CPath(component: name)
    let new = try CPath(component: newName)
    let watch = StallWatch.beginWrite(path)
    defer { StallWatch.end(watch) }
    guard !replacing else { return try rename(old, new) }
    do {
      _ = try systemCall("renameat2", childPath(new)) {
        unsafe old.withPointer { from in
          unsafe new.withPointer { to in unsafe fueki_rename_no_replace(descriptor, from, to) }
        }
      }
    } catch let error where error.isUnsupported || error.code == EPERM {
      try renameInSteps(name, to: newName)
    }
  }

  /// Swaps two entries atomically.
  ///
  /// - Throws: an error with ``SystemError/isUnsupported`` if the file system does not support it.
  public borrowing func renameExchange(_ a: some PathBytes, _ b: some PathBytes) throws(SystemError) {
    let a = try CPath(component: a)
    let b = try CPath(component: b)
    _ = try systemCall("renameat2", childPath(b)) {
      unsafe a.withPointer { first in
        unsafe b.withPointer { second in unsafe fueki_rename_exchange(descriptor, first, second) }
      }
    }
  }

  private borrowing func rename(_ old: CPath, _ new: CPath) throws(SystemError) {
    _ = try systemCall("renameat", childPath(new)) {
      unsafe old.withPointer { from in
        unsafe new.withPointer { to in unsafe renameat(descriptor, from, descriptor, to) }
      }
    }
  }

  /// Renames without replacing if the kernel does not support the flag, as on NFS.
  package borrowing func renameInSteps(
    _ name: some PathBytes, to newName: some PathBytes
  ) throws(SystemError) {
    let old = try CPath(component: name)
    let new = try CPath(component: newName)
    guard try status(of: name).kind != .directory else {
      // The rename replaces our own empty directory. Creating it fails if the name is taken.
      try makeDirectory(newName)
      return try rename(old, new)
    }
    do {
      _ = try systemCall("linkat", childPath(new)) {
        unsafe old.withPointer { from in
          unsafe new.withPointer { to in unsafe linkat(descriptor, from, descriptor, to, 0) }
        }
      }
    } catch let error where error.code == EPERM || error.isUnsupported {
      guard try !contains(newName) else {
        throw SystemError(code: EEXIST, call: "renameat", path: childPath(new))
      }
      return try rename(old, new)
    }
    try remove(name)
  }

  /// Opens a subdirectory, following a symbolic link: for links that the user chose to follow.
  public borrowing func openDirectory(following name: some PathBytes) throws(SystemError) -> Directory {
    let name = try CPath(component: name)
    let path = childPath(name)
    let child = try systemCall("openat", path) {
      unsafe name.withPointer { unsafe openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    return Directory(descriptor: child, path: path)
  }

  /// Returns a symbolic link's target as written in the link.
  public borrowing func target(ofLink name: some PathBytes) throws(SystemError) -> [UInt8] {
    let name = try CPath(component: name)
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let capacity = bytes.count
    let count = try systemCall("readlinkat", childPath(name)) {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
        return unsafe name.withPointer { unsafe readlinkat(descriptor, $0, base, capacity) }
      }
    }
    return Array(bytes[..<count])
  }

  /// Creates a symbolic link in this directory to a path.
  public borrowing func makeSymbolicLink(
    _ name: some PathBytes, to target: some PathBytes
  ) throws(SystemError) {
    let name = try CPath(component: name)
    let target = try CPath(target)
    _ = try systemCall("symlinkat", childPath(name)) {
      unsafe target.withPointer { to in unsafe name.withPointer { unsafe symlinkat(to, descriptor, $0) } }
    }
  }

  /// Creates a hard link in this directory, without replacing an existing name.
  ///
  /// - Throws: an error with ``SystemError/isAlreadyThere`` if the new name is taken, or with
  ///   ``SystemError/isUnsupported`` if the file system does not support hard links.
  public borrowing func link(_ name: some PathBytes, as newName: some PathBytes) throws(SystemError) {
    let old = try CPath(component: name)
    let new = try CPath(component: newName)
    _ = try systemCall("linkat", childPath(new)) {
      unsafe old.withPointer { from in
        unsafe new.withPointer { to in unsafe linkat(descriptor, from, descriptor, to, 0) }
      }
    }
  }
}

extension File {
  /// `UTIME_OMIT`, a macro that Swift does not import: the access time is unchanged.
  private static let leaveAsItIs = (1 << 30) - 2

  /// Sets the modification time.
  public borrowing func setModificationTime(microseconds: Int64) throws(SystemError) {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    // Before 1970, the fraction still counts forward.
    let time = timespec(
      tv_sec: Int(rest < 0 ? seconds - 1 : seconds), tv_nsec: Int((rest < 0 ? rest + 1_000_000 : rest) * 1000)
    )
    let path = path
    let times = [timespec(tv_sec: 0, tv_nsec: Self.leaveAsItIs), time]
    _ = try systemCall("futimens", path) {
      unsafe times.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return Int32(-1) }
        return unsafe futimens(descriptor, base)
      }
    }
  }

  /// Sets the permissions; false if the file system does not support them.
  @discardableResult
  public borrowing func changePermissions(to permissions: UInt16) throws(SystemError) -> Bool {
    try setPermissions(permissions, of: descriptor, path)
  }

  /// Hints to the kernel to drop the file from its cache, so that the next read is from the device.
  public borrowing func forgetCached() { _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }

  /// Returns the process that holds a lock on a part of the file; nil if no lock is visible.
  ///
  /// The system does not reveal the process of an open file's lock, for which the result is 0.
  public borrowing func lockHolder() throws(SystemError) -> Int32? {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    let path = path
    _ = try systemCall("fcntl", path) { unsafe fcntl(descriptor, F_GETLK, &lock) }
    return lock.l_type == Int16(F_UNLCK) ? nil : max(0, lock.l_pid)
  }
}

extension Directory {
  /// Returns the same directory with another descriptor, even if its path has changed.
  public borrowing func duplicate() throws(SystemError) -> Directory {
    let path = path
    let descriptor = descriptor
    let copy = try systemCall("openat", path) {
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    return Directory(descriptor: copy, path: path)
  }
}
