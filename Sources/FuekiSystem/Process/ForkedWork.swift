internal import CProcess
internal import Glibc

/// Work in a forked copy of this process, for libraries that would leave threads running.
public enum ForkedWork {
  private static let answerByteCount = 1 << 16

  /// Runs a closure in a forked child, and returns its result.
  ///
  /// Call this while the process has no other thread: the child would lack that thread, and could deadlock on
  /// a lock it held. The thread of ``StallWatch`` is stopped first, and restarts when needed.
  ///
  /// - Parameter body: The closure, whose side effects are confined to the child. At most 64 KiB of its
  ///   result are returned.
  /// - Returns: The closure's result.
  /// - Throws: A system error, or `ECHILD` if the child ended before its result was complete.
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
    let reader = pipe.closeWriter()
    let answer = Result { () throws(SystemError) in try reader.readAll(limit: answerByteCount) }
    guard try ChildEnding.wait(for: child) == .exited(0) else {
      throw SystemError(code: ECHILD, call: "fork")
    }
    return try answer.get()
  }
}
