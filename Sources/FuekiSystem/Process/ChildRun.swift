internal import Glibc

/// A program run without a shell, with its output passed on as it arrives.
package struct ChildRun {
  /// The program's path.
  package var executable: String
  /// The arguments, without the program's name.
  package var arguments: [String]
  /// The complete environment, each variable as `NAME=value`.
  package var environment: [[UInt8]]
  /// The maximum time without output, in seconds.
  package var patience: Double
  /// Whether an interruption ends the child at once; else it has ``Interruption/cleanupSeconds`` for its work.
  package var isInterruptible = true
  /// The working directory, or `nil` for the current one.
  package var directory: String?

  /// The program's ending, and the end of its standard error.
  package struct Outcome {
    package let ending: ChildEnding
    package let errors: String
  }

  private static let turn = 0.25
  private static let errorsKept = 8192

  package init(executable: String, arguments: [String], environment: [[UInt8]], patience: Double) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.patience = patience
  }

  /// Returns a program's path in the directories of `PATH`, or `nil` if it is in none.
  package static func find(_ name: String) -> String? {
    let folders = (Environment.get("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    // Relative entries are ignored: programs in the working directory are not trusted.
    let paths = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    return paths.first { path in unsafe access(path, X_OK) == 0 && (try? File.openRegular(path)) != nil }
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - output: Receives the output in order. An error thrown by it ends the program.
  ///   - idle: Called several times a second. An error thrown by it ends the program.
  /// - Returns: The ending, whatever the status, and the end of standard error.
  /// - Throws: An error with ``SystemError/isTimedOut`` after too long without output, an error with
  ///   ``SystemError/isInterrupted`` after an ``Interruption``, and the closures' errors. The program has
  ///   ended by then.
  package func run(output: (Span<UInt8>) throws -> Void, idle: () throws -> Void = {}) throws -> Outcome {
    let input = try File.open("/dev/null")
    let outputPipe = try Pipe()
    let errorPipe = try Pipe()
    let name = executable.split(separator: "/").last.map(String.init) ?? executable
    var child = ChildCommand(
      executable: executable, arguments: [name] + arguments, environment: environment, directory: directory)
    child.streams = (input.descriptor, outputPipe.writer.descriptor, errorPipe.writer.descriptor)
    let process = try StartedChild(child, isForCleanup: !isInterruptible)
    let reader = outputPipe.closeWriter()
    let errorReader = errorPipe.closeWriter()
    let errors = try listen(to: process, (reader.descriptor, errorReader.descriptor), output, idle)
    return Outcome(ending: try process.wait(), errors: errors)
  }

  /// Passes output on until both streams end, or until the program has ended and is silent.
  private func listen(
    to process: StartedChild, _ streams: (output: Int32, errors: Int32),
    _ output: (Span<UInt8>) throws -> Void, _ idle: () throws -> Void
  ) throws -> String {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    var errors: [UInt8] = []
    var open = [streams.output, streams.errors]
    var lastHeard = SystemClock.monotonicSeconds
    var lastIdle = lastHeard
    while !open.isEmpty {
      let ready = try Self.wait(for: open)
      let now = SystemClock.monotonicSeconds
      if process.mustEnd {
        throw SystemError(code: EINTR, call: "poll", path: executable)
      }
      if now - lastIdle >= Self.turn {
        lastIdle = now
        try idle()
      }
      guard !ready.isEmpty else {
        // The program's own children may keep the streams open.
        if try process.poll() != nil { break }
        if now - lastHeard > patience { throw SystemError(code: ETIMEDOUT, call: "poll", path: executable) }
        continue
      }
      lastHeard = now
      for stream in ready {
        let count = try Self.read(stream, into: &buffer)
        guard count > 0 else {
          open.removeAll { $0 == stream }
          continue
        }
        if stream == streams.output {
          try output(buffer.span.extracting(0..<count))
        } else {
          errors = (errors + buffer[..<count]).suffix(Self.errorsKept)
        }
      }
    }
    return String(decoding: errors, as: UTF8.self)
  }

  /// Returns the streams with data or at their end, or none after a timeout.
  private static func wait(for streams: [Int32]) throws(SystemError) -> [Int32] {
    var polled = streams.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = nfds_t(polled.count)
    let answer = unsafe poll(&polled, count, Int32(turn * 1000))
    // A signal ends the wait early, and the caller checks for an interruption.
    guard answer >= 0 || errno == EINTR else { throw SystemError(code: errno, call: "poll") }
    return answer > 0 ? polled.filter { $0.revents != 0 }.map(\.fd) : []
  }

  private static func read(_ stream: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Int {
    var span = buffer.mutableSpan
    return try unsafe span.withUnsafeMutableBufferPointer { (pointer) throws(SystemError) in
      try systemCall("read", "pipe") { unsafe Glibc.read(stream, pointer.baseAddress, pointer.count) }
    }
  }
}
