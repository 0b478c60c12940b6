internal import CProcess
internal import Glibc

extension Directory {
  /// Gives an entry another name in this directory.
  ///
  /// With `replacing: true` an existing file of the new name is replaced in one step. With `replacing: false`
  /// it is kept, and the call fails with ``SystemError/isAlreadyThere``; this too is one step wherever the
  /// file system knows `RENAME_NOREPLACE` or hard links. Where it knows neither, a check comes first, and
  /// only a lock that the caller holds keeps two writers apart.
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

  /// Swaps two entries in one step.
  ///
  /// - Throws: an error with ``SystemError/isUnsupported`` where the file system cannot.
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

  /// Renames without replacing where the kernel has no flag for it, as on NFS.
  package borrowing func renameInSteps(
    _ name: some PathBytes, to newName: some PathBytes
  ) throws(SystemError) {
    let old = try CPath(component: name)
    let new = try CPath(component: newName)
    guard try status(of: name).kind != .directory else {
      // An empty directory of one's own may be replaced, and making it fails where the name is taken.
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
