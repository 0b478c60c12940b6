internal import CProcess
internal import Glibc

/// The process's controlling terminal, which may differ from its standard streams.
public enum Terminal {
  /// Whether there is a controlling terminal.
  public static var isAvailable: Bool {
    guard let descriptor = try? open() else { return false }
    _ = close(descriptor)
    return true
  }

  /// The number of columns of the terminal at standard error or output, or `nil` if neither is one.
  public static var width: Int? {
    StandardStream.error.columns ?? StandardStream.output.columns
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
