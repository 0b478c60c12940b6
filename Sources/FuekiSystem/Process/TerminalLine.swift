internal import CProcess
internal import Glibc

extension Terminal {
  /// Whether the terminal shows what is typed.
  package enum Echo {
    case on
    case off
  }

  /// Asks and reads on an open terminal.
  package static func readLine(
    from descriptor: Int32, prompt: String, echo: Echo, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Int? {
    while true {
      switch try ask(prompt, on: descriptor, echo: echo, into: &buffer) {
      case .line(let count): return count
      case .end: return nil
      case .signal:
        // The signal has had its effect by now: the process ended, or was stopped and went on, or noted the
        // wish.
        if Interruption.wasRequested { throw SystemError(code: EINTR, call: "read", path: "/dev/tty") }
      }
    }
  }

  private enum Ending {
    case line(Int)
    case end
    case signal
  }

  /// Asks and reads with signals held back, and restores the terminal before they are let through.
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
    // One that the caller holds back would not take effect afterwards, so it must not end the wait.
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
        // The person's own line end was not shown.
        try? show("\n", on: descriptor)
      }
    }
    // Only now: what was typed before the terminal was silent is thrown away, and who sees the prompt may type.
    try show(prompt, on: descriptor)
    let start = SystemClock.monotonicSeconds
    defer { TypingTime.add(SystemClock.monotonicSeconds - start) }
    return try readBytes(from: descriptor, held, into: &buffer)
  }

  private static func readBytes(
    from descriptor: Int32, _ held: sigset_t, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Ending {
    var held = held
    // One byte at a time, because the terminal may hold the beginning of the next line.
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
