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

/// Work on a thread of its own, whose answer is waited for so long and no longer.
///
/// For calls that cannot be stopped: a file system that does not answer keeps only that thread, and so does the
/// derivation of a key.
public enum BoundedWait {
  /// How often a wait looks whether it is to go on, in seconds.
  private static let turn = 0.02

  /// Does some work, and abandons it if it takes too long.
  ///
  /// - Parameters:
  ///   - seconds: the longest wait for the answer.
  ///   - body: the work. If it is given up, it goes on until it or the process ends.
  /// - Returns: the answer; nil if there is none by then, or the system has no thread for it.
  public static func answer<Answer: Sendable>(
    within seconds: Double, _ body: @escaping @Sendable () -> Answer
  ) -> Answer? {
    let work = Work(body)
    guard let thread = WorkerThread(running: work) else { return nil }
    let end = SystemClock.monotonicSeconds + seconds
    return work.answer(from: thread) { SystemClock.monotonicSeconds < end }
  }

  /// Does some work that cannot be stopped, and abandons it on an interruption.
  ///
  /// - Parameters:
  ///   - grace: the seconds after an interruption in which it still waits.
  ///   - body: the work. After an interruption it goes on until it or the process ends.
  /// - Returns: the answer; nil after an interruption.
  public static func answerUnlessInterrupted<Answer: Sendable>(
    grace: Double = 0, _ body: @escaping @Sendable () -> Answer
  ) -> Answer? {
    func goesOn() -> Bool { !Interruption.wasRequested || Interruption.age < grace }
    guard goesOn() else { return nil }
    let work = Work(body)
    guard let thread = WorkerThread(running: work) else { return body() }
    return work.answer(from: thread, while: goesOn)
  }

  /// The work and its answer.
  ///
  /// Unchecked, because the compiler cannot see that the answer is read and written under the lock alone.
  private final class Work<Answer: Sendable>: WorkerLoop, @unchecked Sendable {
    private let body: @Sendable () -> Answer
    private let lock = ThreadLock()
    private let isMade = ThreadCondition()
    private var made: Answer?

    init(_ body: @escaping @Sendable () -> Answer) { self.body = body }

    override func run() {
      let answer = body()
      lock.whileLocked {
        made = answer
        isMade.broadcast()
      }
    }

    /// Waits for the answer while the closure returns true.
    func answer(from thread: WorkerThread, while goesOn: () -> Bool) -> Answer? {
      let answer = lock.whileLocked { () -> Answer? in
        while made == nil, goesOn() { isMade.wait(lock, seconds: BoundedWait.turn) }
        return made
      }
      // A thread that has answered ends now. An abandoned one is detached, because nothing waits for it.
      if answer == nil { thread.detach() } else { thread.join() }
      return answer
    }
  }
}
