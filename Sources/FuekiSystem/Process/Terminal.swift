internal import CProcess
internal import Glibc
internal import Synchronization

/// The process's controlling terminal, which may differ from its standard streams.
public enum Terminal {
  /// Whether there is a controlling terminal.
  public static var isAvailable: Bool {
    guard let descriptor = try? open() else { return false }
    _ = close(descriptor)
    return true
  }

  /// Prompts on the terminal, and reads a line without echo directly into the caller's memory.
  ///
  /// A signal received meanwhile takes effect only after the echo is restored.
  ///
  /// - Returns: The number of bytes typed, without the line end, or `nil` at the end of input.
  /// - Throws: ``SystemError/isInterrupted`` after ``Interruption``, `E2BIG` if the line exceeds the buffer,
  ///   or `ENXIO` or `ENOENT` if there is no terminal.
  public static func readSecret(
    prompt: String, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Int? {
    let descriptor = try open()
    defer { _ = close(descriptor) }
    return try readLine(from: descriptor, prompt: prompt, echo: .off, into: &buffer)
  }

  /// Prompts on the terminal, and reads a line of at most 4,096 bytes with echo.
  ///
  /// - Returns: The line without its end, or `nil` at the end of input.
  /// - Throws: ``SystemError/isInterrupted`` after ``Interruption``.
  public static func readLine(prompt: String) throws(SystemError) -> String? {
    let descriptor = try open()
    defer { _ = close(descriptor) }
    var line = [UInt8](repeating: 0, count: 4096)
    var span = line.mutableSpan
    guard let count = try readLine(from: descriptor, prompt: prompt, echo: .on, into: &span) else {
      return nil
    }
    return String(decoding: line[..<count], as: UTF8.self)
  }

  private static func open() throws(SystemError) -> Int32 {
    try systemCall("open", "/dev/tty") { unsafe Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC) }
  }
}

extension Terminal {
  /// Whether the terminal shows typed characters.
  package enum Echo {
    case on
    case off
  }

  /// Prompts and reads on an open terminal.
  package static func readLine(
    from descriptor: Int32, prompt: String, echo: Echo, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Int? {
    while true {
      switch try ask(prompt, on: descriptor, echo: echo, into: &buffer) {
      case .line(let count): return count
      case .end: return nil
      case .signal:
        // The signal has taken effect: the process ended, was stopped and continued, or recorded the request.
        if Interruption.wasRequested { throw SystemError(code: EINTR, call: "read", path: "/dev/tty") }
      }
    }
  }

  private enum Ending {
    case line(Int)
    case end
    case signal
  }

  /// Prompts and reads with signals blocked, and restores the terminal before unblocking them.
  private static func ask(
    _ prompt: String, on descriptor: Int32, echo: Echo, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Ending {
    var held = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&held)
    let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    for signal in signals { unsafe sigaddset(&held, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    // A signal that the caller blocks would not take effect afterwards, so it must not end the wait.
    for signal in signals where unsafe sigismember(&before, signal) == 1 { unsafe sigdelset(&held, signal) }

    var original = termios()
    _ = try systemCall("tcgetattr", "/dev/tty") { unsafe tcgetattr(descriptor, &original) }
    if echo == .off {
      var silent = original
      silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
      silent.c_lflag |= tcflag_t(ICANON)
      _ = try systemCall("tcsetattr", "/dev/tty") { unsafe tcsetattr(descriptor, TCSAFLUSH, &silent) }
    }
    defer {
      if echo == .off {
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &original)
        // The typed line end was not echoed.
        try? show("\n", on: descriptor)
      }
    }
    // Prompt only now: earlier input has been discarded, and after the prompt the user may type.
    try show(prompt, on: descriptor)
    let start = SystemClock.monotonicSeconds
    defer { TypingTime.add(SystemClock.monotonicSeconds - start) }
    return try readBytes(from: descriptor, held, into: &buffer)
  }

  private static func readBytes(
    from descriptor: Int32, _ held: sigset_t, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Ending {
    var held = held
    // Read single bytes, because the terminal may already hold the next line.
    var byte: UInt8 = 0
    defer { byte = 0 }
    var count = 0
    while true {
      guard try systemCall("poll", "/dev/tty", { unsafe fueki_wait_for_input(descriptor, &held) }) == 1 else {
        return .signal
      }
      guard try systemCall("read", "/dev/tty", { unsafe read(descriptor, &byte, 1) }) == 1 else {
        if count == 0 { return .end }
        break
      }
      if byte == UInt8(ascii: "\n") { break }
      if count < buffer.count { buffer[count] = byte }
      count += 1
    }
    guard count <= buffer.count else { throw SystemError(code: E2BIG, call: "read", path: "/dev/tty") }
    return .line(count)
  }

  private static func show(_ text: String, on descriptor: Int32) throws(SystemError) {
    try unsafe drain([UInt8](text.utf8).span) { (pointer, count, _) throws(SystemError) in
      try systemCall("write", "/dev/tty") { unsafe write(descriptor, pointer, count) }
    }
  }
}

/// The time spent waiting for the user at the terminal.
enum TypingTime {
  private static let milliseconds = Atomic<UInt64>(0)

  /// The total time in seconds of all prompts in this run.
  static var seconds: Double { Double(milliseconds.load(ordering: .relaxed)) / 1000 }

  static func add(_ seconds: Double) {
    let count = UInt64(exactly: (max(0, seconds) * 1000).rounded()) ?? 0
    milliseconds.wrappingAdd(count, ordering: .relaxed)
  }
}

extension SystemClock {
  /// ``monotonicSeconds`` without the time in which the program waited for the user to type.
  ///
  /// Used for a run's duration in messages. The waiting time is subtracted only after a prompt is answered,
  /// so two readings during one prompt differ by the wait.
  public static var workingSeconds: Double { monotonicSeconds - TypingTime.seconds }
}
