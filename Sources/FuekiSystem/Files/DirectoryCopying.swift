internal import CProcess
internal import Glibc

extension Directory {
  /// Copies a regular file to another directory under the same name, for its owner only (0600).
  ///
  /// If the file system supports it, the two share their blocks, so that the copy is free. The copy is not
  /// yet durable.
  /// - Throws: an error with ``SystemError/isAlreadyThere`` if the name is taken.
  public borrowing func copyFile(
    _ name: some PathBytes, into other: borrowing Directory
  ) throws(SystemError) {
    let source = try openFile(name)
    let copy = try other.createFile(name)
    if fueki_clone_file(source.descriptor, copy.descriptor) == 0 { return }
    let size = try source.size()
    var done: UInt64 = 0
    while done < size {
      let count = try copyRange(of: source, to: copy, at: done, upTo: size)
      guard count > 0 else { throw SystemError(code: ENODATA, call: "copy_file_range", path: source.path) }
      done += count
    }
  }

  private borrowing func copyRange(
    of source: borrowing File, to copy: borrowing File, at offset: UInt64, upTo size: UInt64
  ) throws(SystemError) -> UInt64 {
    let (from, to, path) = (source.descriptor, copy.descriptor, copy.path)
    do {
      let length = Int64(clamping: min(size - offset, 64 << 20))
      let count = try systemCall("copy_file_range", path) {
        fueki_copy_range(from, to, Int64(clamping: offset), length)
      }
      return UInt64(count)
    } catch let error where error.isUnsupported || error.code == EXDEV || error.code == EPERM {
      var bytes = [UInt8](repeating: 0, count: Int(clamping: min(size - offset, 1 << 20)))
      let count = try source.pread(into: &bytes, at: offset)
      try copy.pwriteAll(bytes.span.extracting(0..<count), at: offset)
      return UInt64(count)
    }
  }
}

extension File {
  /// Locks a range of the file, opened for writing, exclusively and without waiting, until the file closes.
  ///
  /// The lock belongs to this open file rather than the process, so it also conflicts with the process's
  /// other kinds of locks.
  /// - Returns: false if the range is already locked.
  public borrowing func tryLockExclusive(offset: Int64, count: Int64) throws(SystemError) -> Bool {
    let path = path
    let descriptor = descriptor
    do {
      _ = try systemCall("fcntl", path) { fueki_lock_range(descriptor, offset, count) }
      return true
    } catch let error where error.code == EAGAIN || error.code == EACCES {
      return false
    }
  }
}
