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
      guard let answer = onFreshThread(body) else { _exit(1) }
      let isWritten =
        (try? unsafe drain(answer.span) { (pointer, count, _) throws(SystemError) in
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

  /// Runs a closure on a new thread, and waits for its end; nil if the system starts no more threads.
  ///
  /// Swift's mutexes remember the number of a thread, and a fork's first thread remembers that of the original's. As
  /// soon as another thread waits for a mutex, the kernel refuses that number, and the process ends.
  private static func onFreshThread(_ body: () -> [UInt8]) -> [UInt8]? {
    withoutActuallyEscaping(body) { body in
      let work = Answering(body)
      guard let thread = WorkerThread(running: work) else { return nil }
      thread.join()
      return work.answer
    }
  }

  private final class Answering: WorkerLoop {
    private let body: () -> [UInt8]
    private(set) var answer: [UInt8]?

    init(_ body: @escaping () -> [UInt8]) { self.body = body }

    override func run() { answer = body() }
  }
}
