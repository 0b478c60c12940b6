internal import CProcess
internal import Glibc

/// An open file, closed when the value goes out of scope.
public struct File: ~Copyable, Sendable {
  /// The treatment of a symbolic link at the end of a path.
  public enum SymbolicLinks: Sendable {
    /// Opens the link's target: for paths from the user.
    case follow
    /// Fails with ``SystemError/isSymbolicLink``.
    case refuse
  }

  package let descriptor: Int32
  /// The path or name with which the file was opened, for messages.
  public let path: String
  /// Whether the file system accepted the permissions requested at creation.
  ///
  /// Some, such as FAT, have none.
  public internal(set) var hasRequestedPermissions = true

  deinit { _ = close(descriptor) }

  /// Opens a file for reading.
  public static func open(
    _ path: some PathBytes, symbolicLinks: SymbolicLinks = .follow
  ) throws(SystemError) -> File {
    let name = try CPath(path)
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (symbolicLinks == .refuse ? O_NOFOLLOW : 0)
    // A named pipe that has no writer keeps the call.
    let descriptor = try waitingCall("open", name.text) {
      unsafe name.withPointer { unsafe Glibc.open($0, flags) }
    }
    return File(descriptor: descriptor, path: name.text)
  }

  /// Opens a regular file for reading, by a path that could be a pipe or device.
  ///
  /// - Throws: in addition to errors of opening, `EISDIR` or `EINVAL` if the path is not a regular file.
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

  /// Duplicates a descriptor passed to the program, as with `--passphrase-from fd:N`.
  ///
  /// The original stays open, and its owner closes it.
  public static func duplicating(descriptor: Int32) throws(SystemError) -> File {
    let path = "descriptor \(descriptor)"
    let copy = try systemCall("fcntl", path) { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
    return File(descriptor: copy, path: path)
  }

  /// Returns the file's status.
  public borrowing func status() throws(SystemError) -> FileStatus {
    var status = stat()
    let path = path
    _ = try systemCall("fstat", path) { unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Returns the length in bytes.
  public borrowing func size() throws(SystemError) -> UInt64 { try status().size }

  /// Returns the permission bits.
  public borrowing func permissions() throws(SystemError) -> UInt16 { try status().permissions }

  /// The stored part of a file.
  public enum StoredPart: Sendable {
    /// All of it, as far as the file system can tell.
    case all
    /// A part: the file has holes, such as parts not yet filled by a sync client.
    case some
    /// Nothing: the file has a length but no contents.
    case nothing
  }

  /// Returns the stored part of the file, judged by its holes.
  public borrowing func storedPart() -> StoredPart {
    switch fueki_stored_part(descriptor) {
    case 1: .some
    case 2: .nothing
    default: .all
    }
  }

  /// Whether any byte in `range` may be nonzero, judged by the file's holes.
  public borrowing func mayHoldData(in range: Range<UInt64>) -> Bool {
    guard let start = Int64(exactly: range.lowerBound) else { return false }
    let data = fueki_next_data(descriptor, start)
    return data >= 0 && UInt64(data) < range.upperBound
  }

  /// Returns the number of bytes in holes, which read as zeros and take no space on disk.
  public borrowing func holeByteCount() -> UInt64 { UInt64(max(0, fueki_hole_bytes(descriptor))) }

  /// Returns the first offset from `start` on with possibly nonzero bytes; nil if there is none.
  public borrowing func firstData(from start: UInt64) -> UInt64? {
    guard let start = Int64(exactly: start) else { return nil }
    let data = fueki_next_data(descriptor, start)
    return data >= 0 ? UInt64(data) : nil
  }

  /// Waits until contents and length are durable.
  public borrowing func sync() throws(SystemError) {
    let path = path
    let watch = StallWatch.beginWrite(path)
    defer { StallWatch.end(watch) }
    _ = try systemCall("fsync", path) { fsync(descriptor) }
  }

  /// Sets the length, cutting the file or extending it with zeros.
  public borrowing func truncate(to length: UInt64) throws(SystemError) {
    let path = path
    let offset = try fileOffset(length, path)
    _ = try systemCall("ftruncate", path) { ftruncate(descriptor, offset) }
  }

  /// Takes the exclusive lock without waiting.
  ///
  /// It is held until ``unlock()`` or until the file closes.
  ///
  /// - Returns: false if another open file holds it.
  public borrowing func tryLockExclusive() throws(SystemError) -> Bool {
    let path = path
    do {
      _ = try systemCall("flock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch let error where error.code == EWOULDBLOCK {
      return false
    }
  }

  /// Releases the exclusive lock.
  ///
  /// Closing alone may release it late: a process just forked by another thread also has the file open until
  /// it executes its program.
  public borrowing func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// Asks the kernel to start writing a finished range to the device, so that ``sync()`` waits less.
  ///
  /// This is only a hint without guarantees, and does nothing on file systems without support.
  public borrowing func startWriteback(offset: UInt64, length: UInt64) {
    guard let offset = Int64(exactly: offset), let length = Int64(exactly: length) else { return }
    _ = fueki_start_writeback(descriptor, offset, length)
  }
}

func fileOffset(_ value: UInt64, _ path: String) throws(SystemError) -> Int {
  guard let offset = Int(exactly: value) else { throw SystemError(code: EFBIG, call: "lseek", path: path) }
  return offset
}

extension File {
  /// Reads at an offset until the buffer is full or the file ends.
  ///
  /// - Returns: the number of bytes read, less than the buffer's length only at the end of the file.
  public borrowing func pread(into buffer: inout MutableSpan<UInt8>, at offset: UInt64) throws(SystemError)
    -> Int
  {
    let path = path
    let start = try fileOffset(offset, path)
    return try unsafe fill(&buffer) { (pointer, count, done) throws(SystemError) in
      let watch = StallWatch.begin(path)
      defer { StallWatch.end(watch) }
      return try systemCall("pread", path) { unsafe Glibc.pread(descriptor, pointer, count, start + done) }
    }
  }

  /// Reads into an array's existing bytes, filling fewer only at the end of the file.
  public borrowing func pread(into buffer: inout [UInt8], at offset: UInt64) throws(SystemError) -> Int {
    var span = buffer.mutableSpan
    return try pread(into: &span, at: offset)
  }

  /// Reads exactly `count` bytes at an offset.
  ///
  /// - Throws: an error with ``SystemError/isEndOfFile`` if the file is shorter, which is checked before
  ///   allocating.
  public borrowing func readExactly(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
    let path = path
    let (end, overflow) = offset.addingReportingOverflow(UInt64(count))
    guard !overflow, try size() >= end else { throw SystemError(code: ENODATA, call: "pread", path: path) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard try pread(into: &bytes, at: offset) == count else {
      throw SystemError(code: ENODATA, call: "pread", path: path)
    }
    return bytes
  }

  /// Reads from the current position to the end, up to the buffer's length.
  ///
  /// Works for pipes and terminals too. A full buffer may mean that there is more.
  public borrowing func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    let path = path
    return try unsafe fill(&buffer) { (pointer, count, _) throws(SystemError) in
      try waitingCall("read", path) { unsafe Glibc.read(descriptor, pointer, count) }
    }
  }

  /// Reads public data from the current position to the end.
  ///
  /// - Throws: an error with ``SystemError/isTooLong`` if there are more than `limit` bytes.
  public borrowing func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    let path = path
    let expected = try Int(clamping: size())
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: Swift.min(Swift.max(expected, 4095), limit, 1 << 20) + 1)
    while true {
      var span = chunk.mutableSpan
      let count = try read(into: &span)
      guard bytes.count + count <= limit else { throw SystemError(code: E2BIG, call: "read", path: path) }
      bytes.append(contentsOf: chunk[..<count])
      if count < chunk.count { return bytes }
    }
  }

  /// Writes all bytes at an offset.
  public borrowing func pwriteAll(_ bytes: Span<UInt8>, at offset: UInt64) throws(SystemError) {
    let path = path
    let start = try fileOffset(offset, path)
    try unsafe drain(bytes) { (pointer, count, done) throws(SystemError) in
      let watch = StallWatch.beginWrite(path)
      defer { StallWatch.end(watch) }
      return try systemCall("pwrite", path) { unsafe pwrite(descriptor, pointer, count, start + done) }
    }
  }

  /// Writes all bytes of an array at an offset.
  public borrowing func pwriteAll(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
    try pwriteAll(bytes.span, at: offset)
  }
}

/// Repeats a read until the buffer is full or the input ends.
func fill(
  _ buffer: inout MutableSpan<UInt8>,
  _ read: (UnsafeMutableRawPointer, _ count: Int, _ done: Int) throws(SystemError) -> Int
) throws(SystemError) -> Int {
  try unsafe buffer.withUnsafeMutableBufferPointer { (pointer) throws(SystemError) in
    guard let base = pointer.baseAddress else { return 0 }
    var done = 0
    while done < pointer.count {
      let count = try unsafe read(UnsafeMutableRawPointer(base + done), pointer.count - done, done)
      if count == 0 { break }
      done += count
    }
    return done
  }
}

/// Repeats a write until everything is written.
func drain(
  _ bytes: Span<UInt8>,
  _ write: (UnsafeRawPointer, _ count: Int, _ done: Int) throws(SystemError) -> Int
) throws(SystemError) {
  try unsafe bytes.withUnsafeBufferPointer { (pointer) throws(SystemError) in
    guard let base = pointer.baseAddress else { return }
    var done = 0
    while done < pointer.count {
      done += try unsafe write(UnsafeRawPointer(base + done), pointer.count - done, done)
    }
  }
}
