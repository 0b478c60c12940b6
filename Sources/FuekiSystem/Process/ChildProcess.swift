internal import Glibc

/// Shell commands configured by the user, such as a command that prints a passphrase.
public enum ChildProcess {
  /// The result of a command.
  public struct Output: Sendable, Equatable {
    /// The number of bytes written to the caller's buffer.
    public let byteCount: Int
    /// The command's ending.
    public let ending: ChildEnding
  }

  /// Runs `/bin/sh -c command` and puts what it prints straight into the caller's memory.
  ///
  /// The command gets the environment without the variables named, an empty standard input (it may still open
  /// `/dev/tty`), and this program's standard error.
  /// - Throws: `E2BIG` if it prints more than the buffer holds, after waiting for its end. An error with
  ///   ``SystemError/isInterrupted`` after an ``Interruption``; the command has ended by then.
  public static func run(
    shell command: String, withoutVariables secrets: [String], into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Output {
    let input = try File.open("/dev/null")
    let pipe = try Pipe()
    var child = ChildCommand(
      executable: "/bin/sh", arguments: ["sh", "-c", command],
      environment: Environment.all(except: secrets))
    child.streams = (input.descriptor, pipe.writer.descriptor, 2)
    child.mayUseTerminal = true
    let process = try StartedChild(child)

    let reader = pipe.closeWriter()
    let printed = readToEnd(reader, into: &buffer)
    if case .failure(let error) = printed, error.isInterrupted { process.end() }
    let ending = try process.wait()
    return Output(byteCount: try printed.get(), ending: ending)
  }

  /// Runs `/bin/sh -c command` for what it does, and waits for its end.
  ///
  /// It has an empty standard input, what it prints goes to this program's standard error, and of the files that this
  /// program has open it gets no other: a descriptor may lead to a passphrase.
  ///
  /// - Parameters:
  ///   - command: for the shell.
  ///   - isWithheld: says of a variable's name whether the command may not have it.
  ///   - variables: what it gets besides, in place of variables of the same names.
  /// - Returns: how it ended.
  /// - Throws: what starting it throws, and an error with ``SystemError/isInterrupted`` after an ``Interruption``; the
  ///   command has ended by then. A command that is started after the interruption has a second for its work.
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
    child.mayUseTerminal = true
    return try StartedChild(child, isForCleanup: Interruption.wasRequested).wait()
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
