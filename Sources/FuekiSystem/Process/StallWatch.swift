internal import CProcess
internal import Glibc

/// A watchdog for file systems that stop responding, such as a network mount whose server is gone.
///
/// A read may hang for ever, often in a state that no signal interrupts. Only another thread can notice, and
/// only ending the process reliably helps.
public enum StallWatch {
  /// The factor on the limit for writing calls, because a slow disk may have much to make durable.
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

  /// The watching thread, and the descriptor whose closing ends it.
  private struct Watcher {
    let thread: WorkerThread
    let wake: Int32
  }

  private static let state = Locked(State())

  /// Limits the time of every single call that opens, lists or reads.
  ///
  /// Calls that write, sync or rename may take ten times as long.
  ///
  /// - Parameters:
  ///   - limit: The limit in seconds.
  ///   - onStall: Called once, on a separate thread, with the path that did not respond and the exceeded
  ///     limit in seconds. It must end the process.
  public static func start(
    limit: Double, onStall: @escaping @Sendable (_ path: String, _ seconds: Double) -> Void
  ) {
    state.withLock {
      $0.limit = limit
      $0.onStall = onStall
    }
  }

  /// The time limit of a call in seconds, or `nil` if watching is off.
  package static var limit: Double? { state.withLock(\.limit) }

  /// Runs a call under the time limit.
  static func during<Answer: ~Copyable, E: Error>(
    _ path: String, _ body: () throws(E) -> Answer
  ) throws(E) -> Answer {
    let watch = begin(path)
    defer { end(watch) }
    return try body()
  }

  /// Records the start of a call.
  ///
  /// - Returns: A token for ``end(_:)``, or 0 if watching is off.
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

  /// Records the start of a writing call, which has a longer limit than reading.
  static func beginWrite(_ path: String) -> UInt64 { begin(path, patience: patienceWithWrites) }

  /// Records the end of a call.
  static func end(_ watch: UInt64) {
    guard watch != 0 else { return }
    state.withLock { _ = $0.waiting.removeValue(forKey: watch) }
  }

  /// Stops the watching thread.
  ///
  /// The next watched call starts another.
  ///
  /// For a process that gives up rights while it has no other thread: a running thread would keep its rights.
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

    /// Runs until the other end of the pipe is closed.
    override func run() {
      var closed = pollfd(fd: waking, events: 0, revents: 0)
      while unsafe poll(&closed, 1, Int32(StallWatch.turn * 1000)) == 0 {
        guard let (path, seconds, onStall) = StallWatch.stalledCall() else { continue }
        return onStall(path, seconds)
      }
    }
  }

  /// Advances each call's number of turns, and returns a call that exceeds its limit.
  private static func stalledCall() -> (
    path: String, seconds: Double, onStall: @Sendable (String, Double) -> Void
  )? {
    // Turns are counted instead of time, because a process stopped for an hour has not waited for an hour.
    state.withLock { state in
      guard let limit = state.limit else { return nil }
      for watch in state.waiting.keys { state.waiting[watch]?.turns += 1 }
      // A call seen for the first time may have only just begun.
      let longest = state.waiting.values.first { Double($0.turns - 1) * turn > limit * $0.patience }
      return longest.map { ($0.path, limit * $0.patience, state.onStall) }
    }
  }
}
