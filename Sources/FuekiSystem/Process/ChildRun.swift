internal import Glibc

/// Another program, run without a shell, whose output is taken as it comes.
package struct ChildRun {
  /// Where the program is.
  package var executable: String
  /// The arguments, without the program's own name.
  package var arguments: [String]
  /// `NAME=value`; nothing else is inherited.
  package var environment: [[UInt8]]
  /// How many seconds it may say nothing.
  package var patience: Double
  /// Whether an interruption ends the child at once; else it has ``Interruption/cleanupSeconds`` for its work.
  package var isInterruptible = true
  /// The working directory; nil for the present one.
  package var directory: String?

  /// How the program ended, and the last that it wrote to its standard error.
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

  /// The path of a program in the folders of `PATH`; nil where none has it.
  package static func find(_ name: String) -> String? {
    let folders = (Environment.get("PATH") ?? "/usr/bin:/bin").split(separator: ":")
    // What lies in the present folder is nobody's program.
    let paths = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    return paths.first { path in unsafe access(path, X_OK) == 0 && (try? File.openRegular(path)) != nil }
  }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - output: is given what it prints, in order; what it throws ends the program.
  ///   - idle: is called a few times a second; what it throws ends the program.
  /// - Returns: how it ended, whatever its status, and what it said last.
  /// - Throws: an error with ``SystemError/isTimedOut`` where it says nothing for too long,
  ///   ``SystemError/isInterrupted`` after an ``Interruption``, and what the closures throw; the program has ended
  ///   by then.
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

  /// Takes what comes until both streams end, or the program has ended and says nothing more.
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
        // A program's own child may hold the streams open after it.
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

  /// The streams that have something, or have ended; none after a turn without either.
  private static func wait(for streams: [Int32]) throws(SystemError) -> [Int32] {
    var polled = streams.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = nfds_t(polled.count)
    let answer = unsafe poll(&polled, count, Int32(turn * 1000))
    // A signal ends the turn early, and the caller looks what it was.
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
