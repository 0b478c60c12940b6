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

extension Directory {
  /// Whether data written here stays in memory, though it may be swapped out.
  public borrowing func isInMemory() throws(SystemError) -> Bool {
    let path = path
    return try systemCall("fstatfs", path) { fueki_is_in_memory(descriptor) } == 1
  }

  /// Overwrites every file of an entry with zeros, and removes it.
  ///
  /// In memory this destroys the contents. A disk may keep older versions of its blocks.
  public borrowing func wipeTree(_ name: some PathBytes) throws(SystemError) {
    switch try status(of: name).kind {
    case .directory: try wipeContents(of: name)
    case .file: try openFileForWriting(name).overwriteWithZeros()
    case .symbolicLink, .other: break
    }
    try removeTree(name)
  }

  private borrowing func wipeContents(of name: some PathBytes) throws(SystemError) {
    let directory = try openDirectory(name)
    for entry in try directory.list() { try directory.wipeTree(entry.name) }
  }
}

extension File {
  fileprivate func overwriteWithZeros() throws(SystemError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    let size = try size()
    var offset: UInt64 = 0
    while offset < size {
      let count = Int(min(size - offset, UInt64(zeros.count)))
      try pwriteAll(zeros.span.extracting(0..<count), at: offset)
      offset += UInt64(count)
    }
    try sync()
  }
}

/// The missing directories of a path, created before a process gives up the right to do so.
///
/// Those that stay empty are removed in the end.
public struct MadeFolders: Sendable {
  private let made: [String]

  /// Creates a directory and its missing parents, with access for this user only.
  public init(_ path: String) throws(SystemError) {
    var missing: [String] = []
    var folder = path
    while (try? FileStatus.of(folder)) == nil, PathParts(folder).folder != folder {
      missing.append(folder)
      folder = PathParts(folder).folder
    }
    try Directory.makePrivateDirectories(path)
    made = missing
  }

  /// The existing directory above those that were created; nil if none was.
  public var parent: String? { made.last.map { PathParts($0).folder } }

  /// Removes the created directories that are empty.
  public func removeEmpty() {
    for path in made {
      let parts = PathParts(path)
      guard let folder = try? Directory.open(parts.folder) else { continue }
      try? folder.removeDirectory(parts.name)
    }
  }
}
