internal import CProcess
internal import Glibc

/// An open file; closed when the value goes out of scope.
public struct File: ~Copyable, Sendable {
  /// What to do with a symbolic link at the end of a path.
  public enum SymbolicLinks: Sendable {
    /// Opens what the link points to: for paths that a person gave.
    case follow
    /// Fails with ``SystemError/isSymbolicLink``.
    case refuse
  }

  package let descriptor: Int32
  /// The path or name that the file was opened by, for messages.
  public let path: String
  /// Whether the file system accepted the permissions asked for at creation; some, such as FAT, have none.
  public let hasRequestedPermissions: Bool

  init(descriptor: Int32, path: String, hasRequestedPermissions: Bool = true) {
    self.descriptor = descriptor
    self.path = path
    self.hasRequestedPermissions = hasRequestedPermissions
  }

  deinit { _ = close(descriptor) }

  /// Opens a file for reading.
  public static func open(
    _ path: some PathBytes, symbolicLinks: SymbolicLinks = .follow
  ) throws(SystemError) -> File {
    let name = try CPath(path)
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (symbolicLinks == .refuse ? O_NOFOLLOW : 0)
    let descriptor = try systemCall("open", name.text) {
      unsafe name.withPointer { unsafe Glibc.open($0, flags) }
    }
    return File(descriptor: descriptor, path: name.text)
  }

  /// Opens a regular file for reading, by a path where a pipe or a device would be a trap.
  ///
  /// - Throws: besides what opening throws, `EISDIR` or `EINVAL` where the path names no regular file.
  public static func openRegular(
    _ path: some PathBytes, symbolicLinks: SymbolicLinks = .follow
  ) throws(SystemError) -> File {
    let name = try CPath(path)
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (symbolicLinks == .refuse ? O_NOFOLLOW : 0)
    return try StallWatch.during(name.text) { () throws(SystemError) in
      let descriptor = try systemCall("open", name.text) {
        unsafe name.withPointer { unsafe Glibc.open($0, flags) }
      }
      let file = File(descriptor: descriptor, path: name.text)
      switch try file.status().kind {
      case .file: return file
      case .directory: throw SystemError(code: EISDIR, call: "open", path: name.text)
      case .symbolicLink, .other: throw SystemError(code: EINVAL, call: "open", path: name.text)
      }
    }
  }

  /// Takes over a descriptor that another process of this program sent.
  package static func taking(descriptor: Int32, path: String) -> File {
    File(descriptor: descriptor, path: path)
  }

  /// Makes a second descriptor for one that the program was given, such as `--passphrase-fd`.
  ///
  /// The original stays open and is the giver's to close.
  public static func duplicating(descriptor: Int32) throws(SystemError) -> File {
    let path = "descriptor \(descriptor)"
    let copy = try systemCall("fcntl", path) { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
    return File(descriptor: copy, path: path)
  }

  /// What the file system says about the file.
  public borrowing func status() throws(SystemError) -> FileStatus {
    var status = stat()
    let path = path
    _ = try systemCall("fstat", path) { unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// The length in bytes.
  public borrowing func size() throws(SystemError) -> UInt64 { try status().size }

  /// When the contents last changed.
  public borrowing func modificationTime() throws(SystemError) -> FileTime { try status().modificationTime }

  /// The permission bits.
  public borrowing func permissions() throws(SystemError) -> UInt16 { try status().permissions }

  /// The owner's user id.
  public borrowing func owner() throws(SystemError) -> UInt32 { try status().owner }

  /// How much of the file is there.
  public enum StoredPart: Sendable {
    /// All of it, as far as the file system can say.
    case all
    /// The file has holes, such as parts that a sync client has yet to fill.
    case some
    /// The file has a length and no contents.
    case nothing
  }

  /// How much of the file is there, by its holes.
  public borrowing func storedPart() -> StoredPart {
    switch fueki_stored_part(descriptor) {
    case 1: .some
    case 2: .nothing
    default: .all
    }
  }

  /// Whether any of the bytes in `range` may be other than zero, as far as the file's holes tell.
  public borrowing func mayHoldData(in range: Range<UInt64>) -> Bool {
    guard let start = Int64(exactly: range.lowerBound) else { return false }
    let data = fueki_next_data(descriptor, start)
    return data >= 0 && UInt64(data) < range.upperBound
  }

  /// The number of bytes that are holes, which read as zeros and take no room on the disk.
  public borrowing func holeByteCount() -> UInt64 { UInt64(max(0, fueki_hole_bytes(descriptor))) }

  /// The first offset from `start` on where the file may hold other bytes than zeros; nil if there is none.
  public borrowing func firstData(from start: UInt64) -> UInt64? {
    guard let start = Int64(exactly: start) else { return nil }
    let data = fueki_next_data(descriptor, start)
    return data >= 0 ? UInt64(data) : nil
  }

  /// Waits until contents and length are on the device.
  public borrowing func sync() throws(SystemError) {
    let path = path
    let watch = StallWatch.beginWrite(path)
    defer { StallWatch.end(watch) }
    _ = try systemCall("fsync", path) { fsync(descriptor) }
  }

  /// Sets the length: cuts the file, or extends it by zeros.
  public borrowing func truncate(to length: UInt64) throws(SystemError) {
    let path = path
    let offset = try fileOffset(length, path)
    _ = try systemCall("ftruncate", path) { ftruncate(descriptor, offset) }
  }

  /// Takes the exclusive lock without waiting; it is held until ``unlock()``, or the file closes.
  ///
  /// - Returns: false where another open file holds it.
  public borrowing func tryLockExclusive() throws(SystemError) -> Bool {
    let path = path
    do {
      _ = try systemCall("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch let error where error.code == EWOULDBLOCK {
      return false
    }
  }

  /// Gives up the exclusive lock.
  ///
  /// Closing alone gives it up late where another thread is just starting a program: until that program runs, it has
  /// the file open too.
  public borrowing func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// Asks the kernel to begin writing a finished range to the device, so that ``sync()`` has less to wait
  /// for.
  ///
  /// Only a hint: it promises nothing, and where the file system has no such thing nothing happens.
  public borrowing func startWriteback(offset: UInt64, length: UInt64) {
    guard let offset = Int64(exactly: offset), let length = Int64(exactly: length) else { return }
    _ = fueki_start_writeback(descriptor, offset, length)
  }

  /// Tells the kernel, as a hint, that the file will be read from front to back.
  public borrowing func adviseSequential() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }
}

func fileOffset(_ value: UInt64, _ path: String) throws(SystemError) -> Int {
  guard let offset = Int(exactly: value) else { throw SystemError(code: EFBIG, call: "lseek", path: path) }
  return offset
}
