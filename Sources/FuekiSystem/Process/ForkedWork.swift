internal import CProcess
internal import Glibc

/// Work in a forked copy of this process, for libraries that would leave threads running.
public enum ForkedWork {
  private static let answerByteCount = 1 << 20

  /// Runs a closure in a child that is a copy of this process, and returns its answer.
  ///
  /// To be called while the process has no other thread: the child would lack it, and wait for ever for a lock that it
  /// held. The thread that watches slow file systems is ended here, and starts again when it is needed.
  ///
  /// - Parameter body: what it changes, it changes in the child; at most 1 MiB of its answer arrive.
  /// - Returns: the answer.
  /// - Throws: what the system refuses; `ECHILD` where the child ended before it could answer. After an ``Interruption`` the
  ///   child is ended too.
  public static func answer(_ body: () -> [UInt8]) throws(SystemError) -> [UInt8] {
    StallWatch.rest()
    let pipe = try Pipe()
    let child = try systemCall("fork") { fueki_fork() }
    guard child != 0 else {
      let end = pipe.writer.descriptor
      let isWritten =
        (try? unsafe drain(body().span) { (pointer, count, _) throws(SystemError) in
          try systemCall("write") { unsafe write(end, pointer, count) }
        }) != nil
      // Skip this process's exit handlers and deinitializers in the child.
      _exit(isWritten ? 0 : 1)
    }
    let watch = fueki_watch_child(child)
    defer { fueki_forget_child(watch) }
    let reader = pipe.closeWriter()
    let answer = Result { () throws(SystemError) in try reader.readAll(limit: answerByteCount) }
    if case .failure(let error) = answer, error.isInterrupted { _ = kill(child, SIGKILL) }
    guard try ChildEnding.wait(for: child) == .exited(0) else {
      throw SystemError(code: ECHILD, call: "fork")
    }
    return try answer.get()
  }
}
