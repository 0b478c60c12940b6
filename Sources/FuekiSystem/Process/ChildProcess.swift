internal import CProcess
internal import Glibc

/// Shell commands configured by the user, such as one that prints a passphrase.
public enum ChildProcess {
  /// The result of a command.
  public struct Output: Sendable, Equatable {
    /// The number of bytes written to the caller's buffer.
    public let byteCount: Int
    /// The command's ending.
    public let ending: ChildEnding
  }

  /// Runs `/bin/sh -c command`, and reads its output directly into the caller's memory.
  ///
  /// The command's environment lacks the given variables. Its standard input is empty, although it can open
  /// `/dev/tty`, and it shares this program's standard error.
  ///
  /// - Throws: `E2BIG` if the output exceeds the buffer. The command is waited for in that case too.
  public static func run(
    shell command: String, withoutVariables secrets: [String], into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Output {
    let input = try File.open("/dev/null")
    let pipe = try Pipe()
    var child = ChildCommand(
      executable: "/bin/sh", arguments: ["sh", "-c", command],
      environment: Environment.all(except: secrets))
    child.streams = (input.descriptor, pipe.writer.descriptor, 2)
    let process = try child.start()

    let reader = pipe.closeWriter()
    let printed = readToEnd(reader, into: &buffer)
    let ending = try ChildEnding.wait(for: process)
    return Output(byteCount: try printed.get(), ending: ending)
  }

  /// Runs `/bin/sh -c command` for its effects, and waits for its end.
  ///
  /// Standard input is empty, and output goes to this program's standard error. No other descriptor is
  /// inherited, because it might give access to a passphrase.
  ///
  /// - Parameters:
  ///   - command: The shell command.
  ///   - isWithheld: Whether to remove a variable of this name from the command's environment.
  ///   - variables: Variables to add, replacing those of the same names.
  /// - Returns: The command's ending.
  /// - Throws: An error of starting the command.
  public static func run(
    shell command: String, withholding isWithheld: (String) -> Bool, adding variables: [String: String]
  ) throws(SystemError) -> ChildEnding {
    let input = try File.open("/dev/null")
    let inherited = Environment.all { variables[$0] == nil && !isWithheld($0) }
    var child = ChildCommand(
      executable: "/bin/sh", arguments: ["sh", "-c", command],
      environment: inherited
        + variables.sorted { $0.key < $1.key }.map { [UInt8]("\($0.key)=\($0.value)".utf8) })
    child.streams = (input.descriptor, 2, 2)
    child.closesOthers = true
    return try ChildEnding.wait(for: try child.start())
  }
}

/// Reads up to the buffer's size and closes the pipe, which ends a command with endless output.
private func readToEnd(
  _ reader: consuming File, into buffer: inout MutableSpan<UInt8>
) -> Result<Int, SystemError> {
  do throws(SystemError) {
    let count = try reader.read(into: &buffer)
    guard count == buffer.count else { return .success(count) }
    var more: [UInt8] = [0]
    var span = more.mutableSpan
    guard try reader.read(into: &span) == 0 else { throw SystemError(code: E2BIG, call: "read", path: "sh") }
    return .success(count)
  } catch {
    return .failure(error)
  }
}

/// A pipe of which a child receives one end.
struct Pipe: ~Copyable {
  let reader: File
  let writer: File

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try systemCall("pipe2") { unsafe fueki_pipe(&ends) }
    reader = File(descriptor: ends[0], path: "pipe")
    writer = File(descriptor: ends[1], path: "pipe")
  }

  /// Closes the writing end, so that reading ends with the child.
  consuming func closeWriter() -> File { reader }

  /// Closes the reading end, so that writing fails after the child's end.
  consuming func closeReader() -> File { writer }
}
