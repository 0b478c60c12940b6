internal import CProcess
internal import Glibc
internal import Synchronization

/// Ends a wait for a file system that does not answer, such as a network mount whose server has gone.
///
/// A call that reads may hang for ever, and often no signal reaches it: only another thread can notice, and only
/// the end of the process is sure to help.
public enum StallWatch {
  /// How many times as long a call that changes something may take: a slow disk has much to make durable.
  private static let patienceWithWrites = 10.0

  private struct Waiting {
    let path: String
    let patience: Double
    var turns = 0
  }

  private struct State {
    var limit: Double?
    var isRunning = false
    var watcher: Watcher?
    var next: UInt64 = 1
    var waiting: [UInt64: Waiting] = [:]
    var onStall: @Sendable (String, Double) -> Void = { _, _ in }
  }

  /// The thread that watches, and what wakes it to its end.
  private struct Watcher {
    let thread: WorkerThread
    let wake: Int32
  }

  private static let state = Mutex(State())

  /// From now on, no single call that opens, lists or reads may take longer.
  ///
  /// One that writes, syncs or renames may take ten times as long.
  ///
  /// - Parameters:
  ///   - limit: in seconds.
  ///   - onStall: is called once, on a thread of its own, with the path that gave no answer for so many seconds; it
  ///     ends the process.
  public static func start(
    limit: Double, onStall: @escaping @Sendable (_ path: String, _ seconds: Double) -> Void
  ) {
    state.withLock {
      $0.limit = limit
      $0.onStall = onStall
    }
  }

  /// How long a call may take, in seconds; nil where nobody watches.
  package static var limit: Double? { state.withLock(\.limit) }

  /// Runs a call that may not take longer than the limit.
  static func during<Answer: ~Copyable, E: Error>(
    _ path: String, _ body: () throws(E) -> Answer
  ) throws(E) -> Answer {
    let watch = begin(path)
    defer { end(watch) }
    return try body()
  }

  /// Notes that a call begins; 0 where nobody watches.
  static func begin(_ path: String, patience: Double = 1) -> UInt64 {
    let (watch, mustStart) = state.withLock { state -> (UInt64, Bool) in
      guard state.limit != nil else { return (0, false) }
      let watch = state.next
      state.next += 1
      state.waiting[watch] = Waiting(path: path, patience: patience)
      let mustStart = !state.isRunning
      state.isRunning = true
      return (watch, mustStart)
    }
    if mustStart { startWatching() }
    return watch
  }

  /// Notes that a call begins which changes something, and may take longer than one that reads.
  static func beginWrite(_ path: String) -> UInt64 { begin(path, patience: patienceWithWrites) }

  /// Notes that the call has ended.
  static func end(_ watch: UInt64) {
    guard watch != 0 else { return }
    state.withLock { _ = $0.waiting.removeValue(forKey: watch) }
  }

  /// Ends the thread that watches; the next call that is watched starts another.
  ///
  /// For a process that gives up rights, while it has no other thread: a thread keeps the rights that it began with.
  static func rest() {
    let watcher = state.withLock { state in
      defer { state.watcher = nil }
      state.isRunning = false
      return state.watcher
    }
    guard let watcher else { return }
    _ = close(watcher.wake)
    watcher.thread.join()
  }

  private static func startWatching() {
    var ends: [Int32] = [-1, -1]
    guard unsafe fueki_pipe(&ends) == 0 else { return }
    let loop = WatchLoop(waking: ends[0])
    guard let thread = WorkerThread(running: loop) else {
      for end in ends { _ = close(end) }
      return
    }
    let wake = ends[1]
    state.withLock { $0.watcher = Watcher(thread: thread, wake: wake) }
  }

  private static let turn = 0.25

  private final class WatchLoop: WorkerLoop {
    private let waking: Int32

    init(waking: Int32) { self.waking = waking }

    deinit { _ = close(waking) }

    /// Until the other end of the pipe closes.
    override func run() {
      var closed = pollfd(fd: waking, events: 0, revents: 0)
      while unsafe poll(&closed, 1, Int32(StallWatch.turn * 1000)) == 0 {
        guard let (path, seconds, onStall) = StallWatch.stalledCall() else { continue }
        return onStall(path, seconds)
      }
    }
  }

  /// Counts a turn for each call, and gives the one that has taken too long.
  private static func stalledCall() -> (
    path: String, seconds: Double, onStall: @Sendable (String, Double) -> Void
  )? {
    // Turns are counted and not time: a process that was stopped for an hour has not waited for an hour.
    state.withLock { state in
      guard let limit = state.limit else { return nil }
      for watch in state.waiting.keys { state.waiting[watch]?.turns += 1 }
      // A call that is met for the first time may have just begun.
      let longest = state.waiting.values.first { Double($0.turns - 1) * turn > limit * $0.patience }
      return longest.map { ($0.path, limit * $0.patience, state.onStall) }
    }
  }
}

/// The end of this process, now.
public enum ImmediateExit {
  /// Ends the process without waiting for its threads, one of which hangs in a call.
  public static func exit(status: Int32) -> Never { _exit(status) }
}
