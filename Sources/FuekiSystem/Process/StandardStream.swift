internal import Glibc

/// A standard stream of the program.
public enum StandardStream: Int32, Sendable {
  /// Descriptor 0.
  case input = 0
  /// Descriptor 1, for results.
  case output = 1
  /// Descriptor 2, for everything else.
  case error = 2

  /// Whether the stream is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The number of columns of the stream's terminal, or `nil` if it is no terminal or they are unknown.
  public var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The stream's name for messages.
  private var name: String {
    switch self {
    case .input: "standard input"
    case .output: "standard output"
    case .error: "standard error"
    }
  }

  /// Writes all bytes, waiting for the reader of a full pipe.
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

  /// Closes the stream, which reports a failure to store its output.
  public func close() throws(SystemError) {
    let path = name
    _ = try systemCall("close", path) { Glibc.close(rawValue) }
  }

  /// Writes text as UTF-8, without adding a newline.
  public func write(_ text: String) throws(SystemError) { try write([UInt8](text.utf8)) }
}
