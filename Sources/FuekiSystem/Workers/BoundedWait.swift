internal import Synchronization

/// Work on a thread of its own, whose answer is waited for so long and no longer.
///
/// For looks around that a run can do without: a file system that does not answer keeps only that thread.
public enum BoundedWait {
  private static let turn = 0.005

  /// Does some work, and gives it up where it takes too long.
  ///
  /// - Parameters:
  ///   - seconds: how long the answer is waited for.
  ///   - body: what is done; where it is given up, it goes on until it or the process ends.
  /// - Returns: the answer; nil where there is none by then, or the system has no thread for it.
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

  /// Does some work that cannot be stopped, and gives it up on an interruption.
  ///
  /// - Parameter body: the work; after an interruption it goes on until it or the process ends.
  /// - Returns: the answer; nil after an interruption.
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
