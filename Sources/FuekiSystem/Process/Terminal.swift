internal import CProcess
internal import Glibc

/// The terminal that controls the process, which need not be one of its standard streams.
public enum Terminal {
  /// Whether there is a terminal to ask.
  public static var isAvailable: Bool {
    guard let descriptor = try? open() else { return false }
    _ = close(descriptor)
    return true
  }

  /// How many columns the terminal at standard error or output has; nil where neither is one.
  public static var width: Int? {
    StandardStream.error.columns ?? StandardStream.output.columns
  }

  /// Asks on the terminal and reads a line without showing it, straight into the caller's memory.
  ///
  /// A signal that arrives meanwhile takes its effect only after the terminal shows input again.
  /// - Returns: how many bytes were typed, without the line end; nil at the end of input.
  /// - Throws: ``SystemError/isInterrupted`` after ``Interruption``; `E2BIG` where the line is longer than
  ///   the buffer; `ENXIO` or `ENOENT` where there is no terminal.
  public static func readSecret(
    prompt: String, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Int? {
    let descriptor = try open()
    defer { _ = close(descriptor) }
    return try readLine(from: descriptor, prompt: prompt, echo: .off, into: &buffer)
  }

  /// Asks on the terminal and reads a line of at most 4,096 bytes that everyone may see.
  ///
  /// - Returns: the line without its end; nil at the end of input.
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
