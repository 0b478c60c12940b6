internal import Glibc

/// Runs jobs on a few threads and hands their results back in the order of submission.
///
/// One thread submits and takes results; only the jobs run elsewhere. The caller bounds the work: it takes a
/// result whenever ``isFull``. A job's error is its result, thrown by ``next()`` in its turn; later jobs go
/// on. Letting go of the value drops the jobs that have not begun, waits for those that have, and ends the
/// threads.
public final class OrderedWorkers<Output: Sendable> {
  private let queue: JobQueue<Output>
  private var threads: [WorkerThread] = []

  /// How many jobs may be submitted and not yet taken.
  public let window: Int

  /// Starts `width` threads for at most `window` jobs at a time.
  ///
  /// Where the system gives no thread at all, ``next()`` runs the jobs itself.
  public init(width: Int, window: Int) {
    precondition(width >= 1 && window >= 1, "work needs a thread and a place in the queue")
    self.window = window
    queue = JobQueue()
    for _ in 0..<Swift.min(width, window) {
      guard let thread = WorkerThread(running: queue) else { break }
      threads.append(thread)
    }
  }

  deinit {
    queue.close()
    for thread in threads { thread.join() }
  }

  /// Whether a result must be taken before the next job is submitted.
  public var isFull: Bool { queue.pendingCount == window }

  /// Whether all results have been taken.
  public var isEmpty: Bool { queue.pendingCount == 0 }

  /// Hands over a job, to be run after those before it have begun.
  ///
  /// - Precondition: not ``isFull``.
  public func submit(_ job: @escaping @Sendable () throws -> Output) {
    precondition(!isFull, "take a result before submitting to full workers")
    queue.append(job)
  }

  /// The oldest job's result, waited for; nil where none is pending.
  ///
  /// - Throws: what the job threw.
  public func next() throws -> Output? {
    if threads.isEmpty { queue.runOldest() }
    return try queue.takeOldest()?.get()
  }
}
