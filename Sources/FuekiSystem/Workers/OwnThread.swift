/// Blocking work for an asynchronous caller, on a thread of its own.
///
/// Swift's shared threads are one per processor. Work that blocks one of them for seconds would delay all other tasks.
package enum OwnThread {
  /// Runs work on a new thread, and suspends the caller until it ends.
  ///
  /// - Parameter body: the work, which may block.
  /// - Returns: the result of the work.
  /// - Throws: the errors of the work; ``SystemError`` if the system starts no more threads.
  package static func run<Answer: Sendable>(
    _ body: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      guard let thread = WorkerThread(running: Work(body, continuation)) else {
        continuation.resume(
          throwing: SystemError(.failed, call: "pthread_create", explanation: "no thread is available"))
        return
      }
      thread.detach()
    }
  }

  private final class Work<Answer: Sendable>: WorkerLoop {
    private let body: @Sendable () throws -> Answer
    private let caller: CheckedContinuation<Answer, any Error>

    init(_ body: @escaping @Sendable () throws -> Answer, _ caller: CheckedContinuation<Answer, any Error>) {
      self.body = body
      self.caller = caller
    }

    override func run() { caller.resume(with: Result(catching: body)) }
  }
}
