internal import Glibc

/// The streams of a started program: its output for the caller, and the end of its standard error.
///
/// The program is ended with this value.
final class ChildStreams {
  /// The longest wait without a look at interruptions, in seconds.
  static let turn = 0.25

  let child: StartedChild
  private let program: String
  private let output: File
  private let errorOutput: File
  private let keptByteCount: Int
  private var errorTail: [UInt8] = []
  /// Whether standard error may still have something.
  private(set) var hasErrors = true

  /// Starts a program, whose output and standard error go to this value.
  ///
  /// - Parameters:
  ///   - command: the program and its surroundings.
  ///   - input: the descriptor that it gets as standard input.
  ///   - isForCleanup: whether it has ``Interruption/cleanupSeconds`` for its work after an interruption.
  ///   - keptByteCount: the length of standard error's end that is kept.
  /// - Throws: An error of starting the program.
  init(
    starting command: ChildCommand, input: Int32, isForCleanup: Bool = false, keepingErrors keptByteCount: Int
  ) throws(SystemError) {
    let output = try Pipe()
    output.widen()
    let errors = try Pipe()
    var command = command
    command.streams = (input, output.writer.descriptor, errors.writer.descriptor)
    child = try StartedChild(command, isForCleanup: isForCleanup)
    self.output = output.closeWriter()
    errorOutput = errors.closeWriter()
    program = command.executable
    self.keptByteCount = keptByteCount
  }

  /// The end of standard error so far.
  var errors: String { String(decoding: errorTail, as: UTF8.self) }

  /// A stream that the caller waits for.
  enum Stream {
    /// The program's output has bytes, or has ended.
    case output
    /// A descriptor takes bytes.
    case writable(Int32)
  }

  /// Waits for a stream for at most a turn, and collects standard error meanwhile.
  ///
  /// - Parameters:
  ///   - stream: the stream; nil to wait for standard error only.
  ///   - seconds: a shorter time than a turn.
  /// - Returns: Whether the stream is ready, and whether any stream was.
  /// - Throws: An error with ``SystemError/isInterrupted`` if the program must end because of an interruption.
  func wait(
    for stream: Stream?, atMost seconds: Double = turn
  ) throws(SystemError) -> (isReady: Bool, isAnyReady: Bool) {
    let (descriptor, events) =
      switch stream {
      case .output: (output.descriptor, POLLIN)
      case .writable(let descriptor): (descriptor, POLLOUT)
      case nil: (Int32(-1), POLLIN)
      }
    var polled = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: hasErrors ? errorOutput.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    let answer = unsafe poll(&polled, 2, Int32(max(0, min(Self.turn, seconds)) * 1000))
    // A signal ends the wait early.
    guard answer >= 0 || errno == EINTR else { throw SystemError(code: errno, call: "poll") }
    if child.mustEnd { throw SystemError(code: EINTR, call: "poll", path: program) }
    guard answer > 0 else { return (false, false) }
    if polled[1].revents != 0 { takeErrors() }
    return (polled[0].revents != 0, true)
  }

  /// Reads output that is ready.
  ///
  /// - Returns: The number of bytes read, or 0 at the end of output.
  func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    let stream = output.descriptor
    return try unsafe buffer.withUnsafeMutableBufferPointer { (pointer) throws(SystemError) in
      try systemCall("read", "pipe") { unsafe Glibc.read(stream, pointer.baseAddress, pointer.count) }
    }
  }

  /// Returns the error of a program that let the caller wait too long.
  var timedOut: SystemError { SystemError(code: ETIMEDOUT, call: "poll", path: program) }

  /// Collects the standard error that is ready, without waiting for more.
  func takeReadyErrors() {
    while hasErrors {
      var polled = pollfd(fd: errorOutput.descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&polled, 1, 0) > 0 else { return }
      takeErrors()
    }
  }

  private func takeErrors() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let (stream, room) = (errorOutput.descriptor, buffer.count)
    let count = unsafe Glibc.read(stream, &buffer, room)
    guard count > 0 else {
      hasErrors = false
      return
    }
    errorTail = (errorTail + buffer[..<count]).suffix(keptByteCount)
  }
}

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
