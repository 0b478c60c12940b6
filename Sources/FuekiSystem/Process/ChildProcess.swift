internal import Glibc

/// A command of the person's own, such as one that prints a passphrase.
public enum ChildProcess {
  /// What a command printed, and how it ended.
  public struct Output: Sendable, Equatable {
    /// How many bytes of the caller's buffer were filled.
    public let byteCount: Int
    /// How the command ended.
    public let ending: ChildEnding
  }

  /// Runs `/bin/sh -c command` and puts what it prints straight into the caller's memory.
  ///
  /// The command gets the environment without the variables named, an empty standard input (it may still open
  /// `/dev/tty`), and this program's standard error.
  /// - Throws: `E2BIG` where it prints more than the buffer holds; the command is waited for all the same.
  public static func run(
    shell command: String, withoutVariables secrets: [String], into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Output {
    let input = try File.open("/dev/null")
    let pipe = try Pipe()
    var child = ChildCommand(
      executable: "/bin/sh", arguments: ["sh", "-c", command],
      environment: Environment.all().filter { variable in !secrets.contains { variable.hasPrefix("\($0)=") } }
    )
    child.streams = (input.descriptor, pipe.writeEnd, 2)
    let process = try child.start()

    let reader = pipe.closeWriteEnd()
    let count = try reader.read(into: &buffer)
    var isComplete = count < buffer.count
    if !isComplete { isComplete = try reader.isAtEnd() }
    // Closing our end ends a command that would print for ever.
    reader.close()
    let ending = try ChildEnding.wait(for: process)
    guard isComplete else { throw SystemError(code: E2BIG, call: "read", path: "sh") }
    return Output(byteCount: count, ending: ending)
  }
}

/// A pipe of which a child gets the writing end.
private struct Pipe: ~Copyable {
  let reader: File
  let writeEnd: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try systemCall("pipe") { unsafe Glibc.pipe(&ends) }
    reader = File(descriptor: ends[0], path: "pipe")
    writeEnd = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  consuming func closeWriteEnd() -> File {
    _ = Glibc.close(writeEnd)
    return reader
  }
}

extension File {
  fileprivate borrowing func isAtEnd() throws(SystemError) -> Bool {
    var one: [UInt8] = [0]
    var span = one.mutableSpan
    return try read(into: &span) == 0
  }

  fileprivate consuming func close() {}
}
