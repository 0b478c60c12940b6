internal import Glibc

/// A program that serves requests on its standard input and output for as long as this value exists.
///
/// It cannot use the terminal, and inherits no other descriptor of this program.
package final class ServingChild {
  private let streams: ChildStreams
  private let input: ChildInput
  private let patience: Double

  private static let errorsKept = 8192
  private static let grace = 0.5

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: The program's path.
  ///   - arguments: The arguments, without the program's name.
  ///   - environment: The complete environment, each variable as `NAME=value`.
  ///   - patience: The longest time to wait for a response, in seconds.
  /// - Throws: An error of starting the program.
  package init(
    executable: String, arguments: [String], environment: [[UInt8]], patience: Double
  ) throws(SystemError) {
    let pipe = try Pipe()
    var child = ChildCommand(
      program: executable, arguments: arguments, environment: environment, directory: nil)
    child.closesOthers = true
    streams = try ChildStreams(
      starting: child, input: pipe.reader.descriptor, keepingErrors: Self.errorsKept)
    input = ChildInput(pipe.closeReader())
    self.patience = patience
  }

  deinit {
    // A server ends when its input does. The streams' deinitializer ends any other.
    input.close()
    let deadline = SystemClock.monotonicSeconds + Self.grace
    while SystemClock.monotonicSeconds < deadline, !Interruption.wasRequested {
      guard ((try? streams.child.poll()) ?? nil) == nil else { return }
      SystemClock.sleep(seconds: 0.005)
    }
  }

  /// The end of the program's standard error so far.
  package var errors: String { streams.errors }

  /// Waits for output of the program.
  ///
  /// - Returns: The number of bytes read, or 0 at the end of output.
  /// - Throws: An error with ``SystemError/isTimedOut`` after too long without output, or with
  ///   ``SystemError/isInterrupted`` after an ``Interruption``.
  package func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    try wait(for: .output)
    return try streams.read(into: &buffer)
  }

  /// Writes to the program's input.
  ///
  /// - Throws: The errors of ``read(into:)``, and `EPIPE` if the program has closed its input.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) {
    try input.write(bytes) { () throws(SystemError) in try wait(for: .writable(input.descriptor)) }
  }

  private func wait(for stream: ChildStreams.Stream) throws(SystemError) {
    let deadline = SystemClock.monotonicSeconds + patience
    while try !streams.wait(for: stream).isReady {
      guard SystemClock.monotonicSeconds < deadline else { throw streams.timedOut }
    }
  }
}
