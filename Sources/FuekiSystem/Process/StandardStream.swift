internal import Glibc

/// One of the three streams that the program was started with.
public enum StandardStream: Int32, Sendable {
  /// Descriptor 0.
  case input = 0
  /// Descriptor 1: results.
  case output = 1
  /// Descriptor 2: everything else.
  case error = 2

  /// Whether a person sits at the other end.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// How many columns the terminal at the other end has; nil where there is none, or it does not say.
  public var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Which stream it is, for people.
  private var name: String {
    switch self {
    case .input: "standard input"
    case .output: "standard output"
    case .error: "standard error"
    }
  }

  /// Writes all bytes, and waits for a reader whose pipe is full.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    let path = name
    try unsafe drain(bytes.span) { (pointer, count, _) throws(SystemError) in
      do throws(SystemError) {
        return try waitingCall("write", path) { unsafe Glibc.write(rawValue, pointer, count) }
      } catch {
        guard error.code == EAGAIN else { throw error }
        var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        _ = try waitingCall("poll", path) { unsafe poll(&stream, 1, -1) }
        return 0
      }
    }
  }

  /// Closes the stream, which tells whether what was written is kept.
  public func close() throws(SystemError) {
    let path = name
    _ = try systemCall("close", path) { Glibc.close(rawValue) }
  }

  /// Writes text as UTF-8, without adding a line end.
  public func write(_ text: String) throws(SystemError) { try write([UInt8](text.utf8)) }
}
