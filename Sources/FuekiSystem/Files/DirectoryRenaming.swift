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
}
