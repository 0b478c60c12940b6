internal import Glibc

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
