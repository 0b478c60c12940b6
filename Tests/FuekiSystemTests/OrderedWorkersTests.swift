import FuekiSystem
import Glibc
import Synchronization
import TestSupport
import Testing

struct OrderedWorkersTests {
  private struct Refusal: Error, Equatable { let number: Int }

  @Test(arguments: [(1, 1), (1, 4), (3, 2), (4, 16)])
  func `results come in the order of submission`(width: Int, window: Int) throws {
    let workers = OrderedWorkers<Int>(width: width, window: window)
    var results: [Int] = []
    for number in 0..<5000 {
      if workers.isFull, let result = try workers.next() { results.append(result) }
      workers.submit {
        // Early jobs take longer than late ones, so that the order is not accidental.
        if number % 97 == 0 { SystemClock.sleep(seconds: 0.001) }
        return number
      }
    }
    while let result = try workers.next() { results.append(result) }
    #expect(results == Array(0..<5000))
    #expect(workers.isEmpty)
    #expect(try workers.next() == nil)
  }

  @Test func `the oldest job's result is announced`() throws {
    let isOpen = Atomic(false)
    let workers = OrderedWorkers<Int>(width: 1, window: 2)
    #expect(!workers.hasResult)
    workers.submit {
      while !isOpen.load(ordering: .relaxed) { SystemClock.sleep(seconds: 0.001) }
      return 7
    }
    #expect(!workers.hasResult)
    isOpen.store(true, ordering: .relaxed)
    while !workers.hasResult { SystemClock.sleep(seconds: 0.001) }
    #expect(try workers.next() == 7)
    #expect(!workers.hasResult)
  }

  @Test func `an error comes in its turn and later jobs go on`() throws {
    let workers = OrderedWorkers<Int>(width: 2, window: 8)
    for number in 0..<8 {
      workers.submit {
        guard number != 2, number != 5 else { throw Refusal(number: number) }
        return number
      }
    }
    #expect(workers.isFull)
    var results: [Int] = []
    while !workers.isEmpty {
      do {
        if let result = try workers.next() { results.append(result) }
      } catch {
        #expect(error as? Refusal == Refusal(number: results.count + (results.count > 2 ? 1 : 0)))
      }
    }
    #expect(results == [0, 1, 3, 4, 6, 7])
  }

  @Test func `letting go waits for what runs and drops the rest`() {
    let begun = Atomic(0)
    let ended = Atomic(0)
    let dropped = Tracker()
    withExtendedLifetime(()) {
      let workers = OrderedWorkers<Void>(width: 2, window: 2000)
      for _ in 0..<2000 {
        workers.submit { [dropped] in
          begun.add(1, ordering: .relaxed)
          SystemClock.sleep(seconds: 0.02)
          ended.add(1, ordering: .relaxed)
          withExtendedLifetime(dropped) {}
        }
      }
      // Running all jobs would take twenty seconds.
      let deadline = SystemClock.monotonicSeconds + 30
      while begun.load(ordering: .relaxed) == 0, SystemClock.monotonicSeconds < deadline {
        SystemClock.sleep(seconds: 0.001)
      }
    }
    #expect(begun.load(ordering: .relaxed) == ended.load(ordering: .relaxed))
    #expect((1..<2000).contains(ended.load(ordering: .relaxed)))
  }

  private final class Tracker: Sendable {}

  @Test func `workers that were never used end`() {
    for _ in 0..<200 { _ = OrderedWorkers<Int>(width: 4, window: 4) }
  }

  @Test func `jobs run at the same time`() throws {
    let arrived = Atomic(0)
    let workers = OrderedWorkers<Bool>(width: 2, window: 2)
    for _ in 0..<2 {
      workers.submit {
        arrived.add(1, ordering: .sequentiallyConsistent)
        let deadline = SystemClock.monotonicSeconds + 120
        while arrived.load(ordering: .sequentiallyConsistent) < 2 {
          guard SystemClock.monotonicSeconds < deadline else { return false }
          SystemClock.sleep(seconds: 0.001)
        }
        return true
      }
    }
    #expect(try workers.next() == true)
    #expect(try workers.next() == true)
  }

  @Test func `without threads the work is done all the same`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      // Root is exempt from the limit on threads, but not from that on memory.
      _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      limit.rlim_cur = 1 << 20
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      let workers = OrderedWorkers<Int>(width: 2, window: 3)
      limit.rlim_cur = limit.rlim_max
      _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      for number in 0..<3 { workers.submit { number } }
      var results: [Int] = []
      while let result = try workers.next() { results.append(result) }
      guard results == [0, 1, 2] else { exit(1) }
    }
  }

  @Test func `submitting to full workers is a bug`() async {
    await #expect(processExitsWith: .failure) {
      let workers = OrderedWorkers<Int>(width: 1, window: 1)
      workers.submit { 1 }
      workers.submit { 2 }
    }
  }
}
