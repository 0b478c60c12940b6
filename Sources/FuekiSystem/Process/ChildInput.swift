internal import Glibc

/// The writing end of a pipe that is a child's standard input.
final class ChildInput {
  private var writer: File?
  let descriptor: Int32

  init(_ writer: consuming File) {
    descriptor = writer.descriptor
    self.writer = consume writer
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Ends the child's input.
  func close() { writer = nil }

  /// Writes all bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes to write.
  ///   - waitForRoom: waits until the pipe accepts bytes.
  /// - Throws: `EPIPE` if the child has closed its input, and the errors of `waitForRoom`.
  func write(
    _ bytes: Span<UInt8>, waitForRoom: () throws(SystemError) -> Void
  ) throws(SystemError) {
    guard writer != nil else { throw SystemError(code: EPIPE, call: "write", path: "pipe") }
    var written = 0
    while written < bytes.count {
      try waitForRoom()
      let rest = bytes.extracting(written..<bytes.count)
      written += try BrokenPipes.withheld { () throws(SystemError) in try writeSome(rest) }
    }
  }

  private func writeSome(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    let stream = descriptor
    do throws(SystemError) {
      return try unsafe bytes.withUnsafeBufferPointer { (pointer) throws(SystemError) in
        try systemCall("write", "pipe") { unsafe Glibc.write(stream, pointer.baseAddress, pointer.count) }
      }
    } catch {
      // The pipe has room, but less than needed.
      guard error.code == EAGAIN else { throw error }
      return 0
    }
  }
}

/// Handling of SIGPIPE, which by default kills a process that writes to a pipe without a reader.
private enum BrokenPipes {
  /// Runs a closure in which such a write fails with `EPIPE` instead.
  static func withheld<Value>(_ body: () throws(SystemError) -> Value) throws(SystemError) -> Value {
    var held = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&held)
    unsafe sigaddset(&held, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    defer {
      // SIGPIPE is directed at the writing thread, where it is pending now.
      var none = timespec()
      while unsafe sigtimedwait(&held, nil, &none) == SIGPIPE {}
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
  }
}
