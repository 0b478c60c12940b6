internal import Glibc

/// A program that serves for as long as this value exists, and this process.
///
/// It has no input and no terminal, and inherits no descriptor of this program. Any thread may use this value.
package final class ServingChild: Sendable {
  /// Runs its arguments as a program, and ends its whole group with its own input: the program may be a script that
  /// started another one.
  ///
  /// A shell that was just started may lose any other signal.
  private static let script = """
    exec 3<&0; "$@" 3<&- & server=$!; { read -r end <&3; kill -KILL 0; } & wait $server; kill -KILL 0
    """
  private static let logKept = 8192
  private static let grace = 0.5

  private let child: Locked<Guarded<StartedChild>>
  /// The writing end of a pipe, which the system closes with this process, whatever ends that.
  private let lifeline: Locked<File?>
  private let logFile: File

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: The program's path.
  ///   - arguments: The arguments, without the program's name.
  ///   - environment: The complete environment, each variable as `NAME=value`.
  ///   - log: A new file, which receives the program's output.
  /// - Throws: An error of starting the program.
  package init(
    executable: String, arguments: [String], environment: [[UInt8]], log: consuming File
  ) throws(SystemError) {
    let pipe = try Pipe()
    var command = ChildCommand(
      program: "/bin/sh", arguments: ["-c", Self.script, "sh", executable] + arguments,
      environment: environment, directory: nil)
    command.closesOthers = true
    command.streams = (pipe.reader.descriptor, log.descriptor, log.descriptor)
    child = Locked(Guarded(try StartedChild(command)))
    lifeline = Locked(pipe.closeReader())
    logFile = log
  }

  deinit {
    lifeline.withLock { $0 = nil }
    // The child's own deinitializer ends it if it does not end by itself.
    let deadline = SystemClock.monotonicSeconds + Self.grace
    while SystemClock.monotonicSeconds < deadline, !Interruption.wasRequested, !hasEnded {
      SystemClock.sleep(seconds: 0.005)
    }
  }

  /// Whether the program has ended.
  package var hasEnded: Bool { child.withLock { ((try? $0.value.poll()) ?? nil) != nil } }

  /// The beginning of the program's output so far.
  package var log: String {
    var bytes = [UInt8](repeating: 0, count: Self.logKept)
    let count = (try? logFile.pread(into: &bytes, at: 0)) ?? 0
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
