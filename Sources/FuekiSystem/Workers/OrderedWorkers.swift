internal import Glibc

/// Runs jobs on a few threads and returns their results in order of submission.
///
/// One thread submits jobs and takes results. The caller bounds the work by taking a result whenever
/// ``isFull``. A job's error is thrown by ``next()`` in its turn, and later jobs continue. Releasing the
/// value drops jobs not yet started, waits for running ones, and ends the threads.
public final class OrderedWorkers<Output: Sendable> {
  private let queue: JobQueue<Output>
  private var threads: [WorkerThread] = []

  /// The limit of jobs submitted and not yet taken.
  public let window: Int

  /// Starts `width` threads for at most `window` jobs at a time.
  ///
  /// If the system refuses all threads, ``next()`` runs the jobs itself.
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

  /// Whether the oldest job has finished, so that ``next()`` does not wait.
  public var hasResult: Bool { queue.hasResult }

  /// Submits a job, which starts after all earlier ones.
  ///
  /// - Precondition: not ``isFull``.
  public func submit(_ job: @escaping @Sendable () throws -> Output) {
    precondition(!isFull, "take a result before submitting to full workers")
    queue.append(job)
  }

  /// Waits for the oldest job's result; nil if no job is pending.
  ///
  /// - Throws: the job's error.
  public func next() throws -> Output? {
    if threads.isEmpty { queue.runOldest() }
    return try queue.takeOldest()?.get()
  }
}
