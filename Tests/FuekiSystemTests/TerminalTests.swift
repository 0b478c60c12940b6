import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Both ends of a pseudo-terminal.
struct PseudoTerminal {
  let keyboard: Int32
  let terminal: Int32

  init() {
    keyboard = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN, which are macros that Swift cannot import.
    var number: Int32 = 0
    var lock: Int32 = 0
    _ = unsafe ioctl(keyboard, 0x4004_5431, &lock)
    _ = unsafe ioctl(keyboard, 0x8004_5430, &number)
    terminal = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
  }

  var shows: Bool {
    var settings = termios()
    _ = unsafe tcgetattr(terminal, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  func type(_ text: String) { _ = unsafe write(keyboard, text, text.utf8.count) }

  func waitUntil(shows wanted: Bool) -> Bool {
    let deadline = SystemClock.monotonicSeconds + 120
    while shows != wanted {
      if SystemClock.monotonicSeconds > deadline { return false }
      SystemClock.sleep(seconds: 0.002)
    }
    return true
  }

  func screen() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let capacity = bytes.count
    let count = unsafe read(keyboard, &bytes, capacity)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }

  func close() {
    Glibc.close(keyboard)
    Glibc.close(terminal)
  }
}

struct TerminalTests {
  /// Reads on a separate thread, because reading blocks.
  private func reading(
    _ terminal: PseudoTerminal, room: Int = 64, echo: Terminal.Echo = .off
  ) -> OrderedWorkers<[UInt8]?> {
    let reader = OrderedWorkers<[UInt8]?>(width: 1, window: 1)
    reader.submit {
      var bytes = [UInt8](repeating: 0, count: room)
      var span = bytes.mutableSpan
      guard
        let count = try Terminal.readLine(
          from: terminal.terminal, prompt: "passphrase: ", echo: echo, into: &span)
      else { return nil }
      return Array(bytes[..<count])
    }
    return reader
  }

  @Test func `a secret is read, not shown, and the terminal shows input again`() throws {
    let terminal = PseudoTerminal()
    defer { terminal.close() }
    let reader = reading(terminal)
    #expect(terminal.waitUntil(shows: false))
    terminal.type("öpen sesame\nnext line\n")
    #expect(try reader.next() == Array("öpen sesame".utf8))
    #expect(terminal.shows)
    #expect(!terminal.screen().contains("sesame"))
  }

  @Test func `an empty line is a line and the end of input is none`() throws {
    for (typed, expected) in [("\n", [UInt8]()), ("\u{4}", nil), ("abc\u{4}de\n", Array("abcde".utf8))] {
      let terminal = PseudoTerminal()
      defer { terminal.close() }
      let reader = reading(terminal)
      #expect(terminal.waitUntil(shows: false))
      terminal.type(typed)
      #expect(try reader.next() == .some(expected))
      #expect(terminal.shows)
    }
  }

  @Test func `a line that does not fit is refused`() throws {
    let terminal = PseudoTerminal()
    defer { terminal.close() }
    let reader = reading(terminal, room: 4)
    #expect(terminal.waitUntil(shows: false))
    terminal.type("12345\n")
    let error = #expect(throws: SystemError.self) { _ = try reader.next() }
    #expect(error?.isTooLong == true)
    #expect(terminal.shows)
  }

  @Test func `an interruption restores the terminal first`() async {
    await #expect(processExitsWith: .success) {
      Interruption.install()
      unblockAllSignals()
      let terminal = PseudoTerminal()
      let reader = OrderedWorkers<Void>(width: 1, window: 1)
      let me = getpid()
      reader.submit {
        guard terminal.waitUntil(shows: false) else { exit(1) }
        kill(me, SIGINT)
      }
      var bytes: [UInt8] = [0, 0, 0, 0]
      var span = bytes.mutableSpan
      do throws(SystemError) {
        _ = try Terminal.readLine(from: terminal.terminal, prompt: "?", echo: .off, into: &span)
        exit(2)
      } catch {
        guard error.isInterrupted, terminal.shows else { exit(3) }
      }
    }
  }

  @Test func `a signal that ends the process leaves a terminal that shows input`() async throws {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      unblockAllSignals()
      let terminal = PseudoTerminal()
      let reader = OrderedWorkers<Void>(width: 1, window: 1)
      let thread = pthread_self()
      reader.submit {
        guard terminal.waitUntil(shows: false) else { exit(1) }
        pthread_kill(thread, SIGTERM)
        guard terminal.waitUntil(shows: true) else { exit(2) }
      }
      var bytes: [UInt8] = [0, 0, 0, 0]
      var span = bytes.mutableSpan
      _ = try Terminal.readLine(from: terminal.terminal, prompt: "?", echo: .off, into: &span)
    }
  }
}
