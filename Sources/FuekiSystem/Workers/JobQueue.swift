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
