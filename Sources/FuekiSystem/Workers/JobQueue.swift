internal import Glibc

/// Jobs in order of submission, with results in the same order.
///
/// Unchecked, because the compiler cannot verify that every access to the mutable state is between
/// `lock.lock()` and `lock.unlock()`.
final class JobQueue<Output: Sendable>: WorkerLoop, @unchecked Sendable {
  typealias Job = @Sendable () throws -> Output

  private enum Slot {
    case waiting(Job)
    case running
    case finished(Result<Output, any Error>)
  }

  private let lock = ThreadLock()
  private let jobArrived = ThreadCondition()
  private let resultArrived = ThreadCondition()
  // Slots of the jobs `firstNumber`, `firstNumber + 1`, … A ring buffer would only save moving a dozen
  // elements.
  private var slots: [Slot] = []
  private var firstNumber = 0
  private var nextToRun = 0
  private var isClosed = false

  var pendingCount: Int { lock.whileLocked { slots.count } }

  /// Whether the oldest job has finished.
  var hasResult: Bool {
    lock.whileLocked {
      if case .finished = slots.first { true } else { false }
    }
  }

  func append(_ job: @escaping Job) {
    lock.whileLocked {
      slots.append(.waiting(job))
      jobArrived.signal()
    }
  }

  func takeOldest() -> Result<Output, any Error>? {
    lock.lock()
    defer { lock.unlock() }
    guard !slots.isEmpty else { return nil }
    while true {
      if case .finished(let result) = slots[0] {
        slots.removeFirst()
        firstNumber += 1
        return result
      }
      resultArrived.wait(lock)
    }
  }

  func close() {
    lock.whileLocked {
      isClosed = true
      jobArrived.broadcast()
    }
  }

  /// Runs jobs until the queue closes.
  override func run() {
    while let (number, job) = waitForJob() {
      finish(number, Result(catching: job))
    }
  }

  /// Runs the next job on this thread, if there is one.
  func runOldest() {
    let next = lock.whileLocked { takeJob() }
    guard let (number, job) = next else { return }
    finish(number, Result(catching: job))
  }

  private func waitForJob() -> (number: Int, job: Job)? {
    lock.lock()
    defer { lock.unlock() }
    while !isClosed {
      if let next = takeJob() { return next }
      jobArrived.wait(lock)
    }
    return nil
  }

  private func takeJob() -> (number: Int, job: Job)? {
    let index = nextToRun - firstNumber
    guard index < slots.count, case .waiting(let job) = slots[index] else { return nil }
    slots[index] = .running
    nextToRun += 1
    return (nextToRun - 1, job)
  }

  private func finish(_ number: Int, _ result: Result<Output, any Error>) {
    lock.whileLocked {
      slots[number - firstNumber] = .finished(result)
      if number == firstNumber { resultArrived.signal() }
    }
  }
}

/// Runs jobs on a few threads and returns their results in order of submission.
///
/// One thread submits jobs and takes results. The caller bounds the work by taking a result whenever
/// ``isFull``. A job's error is thrown by ``next()`` in its turn, and later jobs continue. Releasing the
/// value drops jobs not yet started, waits for running ones, and ends the threads.
public final class OrderedWorkers<Output: Sendable> {
  private let queue: JobQueue<Output>
  private var threads: [WorkerThread] = []

  /// The limit of jobs submitted and not yet taken.
  let window: Int

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
