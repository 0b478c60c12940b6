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
  /// The maximum time from its start to its end, in seconds; `nil` without a limit.
  package var limit: Double?
  /// Whether an interruption ends the child at once; else it has ``Interruption/cleanupSeconds`` for its work.
  package var isInterruptible = true
  /// The working directory, or `nil` for the current one.
  package var directory: String?

  /// The program's ending, and the end of its standard error.
  package struct Outcome {
    package let ending: ChildEnding
    package let errors: String
  }

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
  /// - Throws: An error with ``SystemError/isTimedOut`` after too long without output or in all, an error with
  ///   ``SystemError/isInterrupted`` after an ``Interruption``, and the closures' errors. The program has
  ///   ended by then.
  package func run(output: (Span<UInt8>) throws -> Void, idle: () throws -> Void = {}) throws -> Outcome {
    let input = try File.open("/dev/null")
    let streams = try ChildStreams(
      starting: ChildCommand(
        program: executable, arguments: arguments, environment: environment, directory: directory),
      input: input.descriptor, isForCleanup: !isInterruptible, keepingErrors: Self.errorsKept)
    try listen(to: streams, output, idle)
    return Outcome(ending: try streams.child.wait(), errors: streams.errors)
  }

  /// Passes output on until both streams end, or until the program has ended and is silent.
  private func listen(
    to streams: ChildStreams, _ output: (Span<UInt8>) throws -> Void, _ idle: () throws -> Void
  ) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    var hasOutput = true
    var lastHeard = SystemClock.monotonicSeconds
    let start = lastHeard
    var lastIdle = lastHeard
    while hasOutput || streams.hasErrors {
      let (isReady, isAnyReady) = try streams.wait(for: hasOutput ? .output : nil)
      let now = SystemClock.monotonicSeconds
      if now - lastIdle >= ChildStreams.turn {
        lastIdle = now
        try idle()
      }
      if let limit, now - start > limit { throw streams.timedOut }
      guard isAnyReady else {
        // The program's own children may keep the streams open.
        if try streams.child.poll() != nil { break }
        if now - lastHeard > patience { throw streams.timedOut }
        continue
      }
      lastHeard = now
      guard isReady else { continue }
      var span = buffer.mutableSpan
      let count = try streams.read(into: &span)
      hasOutput = count > 0
      if hasOutput { try output(buffer.span.extracting(0..<count)) }
    }
  }
}
