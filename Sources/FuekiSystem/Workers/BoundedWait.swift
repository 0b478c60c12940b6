internal import Synchronization

/// Runs work on a separate thread, and waits for its result for a limited time.
///
/// Use it for optional checks: an unresponsive file system then blocks only that thread.
public enum BoundedWait {
  private static let turn = 0.005

  /// Runs work, and abandons it if it takes too long.
  ///
  /// - Parameters:
  ///   - seconds: the time limit.
  ///   - body: the work, which continues until it or the process ends if abandoned.
  /// - Returns: the result; nil after the time limit, or if the system refuses a thread.
  public static func answer<Answer: Sendable>(
    within seconds: Double, _ body: @escaping @Sendable () -> Answer
  ) -> Answer? {
    let work = Work(body)
    guard WorkerThread(running: work) != nil else { return nil }
    let end = SystemClock.monotonicSeconds + seconds
    while true {
      if let answer = work.answer { return answer }
      guard SystemClock.monotonicSeconds < end else { return nil }
      SystemClock.sleep(seconds: turn)
    }
  }

  /// Runs work that cannot be stopped, and abandons it on an interruption.
  ///
  /// - Parameter body: the work, which continues until it or the process ends if abandoned.
  /// - Returns: the result; nil after an interruption.
  public static func answerUnlessInterrupted<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Answer
  ) -> Answer? {
    let work = Work(body)
    guard WorkerThread(running: work) != nil else { return body() }
    while !Interruption.wasRequested {
      if let answer = work.answer { return answer }
      SystemClock.sleep(seconds: turn)
    }
    return nil
  }

  private final class Work<Answer: Sendable>: WorkerLoop {
    private let body: @Sendable () -> Answer
    private let made = Mutex<Answer?>(nil)

    init(_ body: @escaping @Sendable () -> Answer) { self.body = body }

    var answer: Answer? { made.withLock { $0 } }

    override func run() {
      let answer = body()
      made.withLock { $0 = answer }
    }
  }
}
