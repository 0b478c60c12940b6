internal import Glibc
internal import Synchronization

/// Ends a wait for a file system that does not answer, such as a network mount whose server has gone.
///
/// A call that reads may hang for ever, and often no signal reaches it: only another thread can notice, and only
/// the end of the process is sure to help.
public enum StallWatch {
  private struct Waiting {
    let path: String
    var turns = 0
  }

  private struct State {
    var limit: Double?
    var isRunning = false
    var next: UInt64 = 1
    var waiting: [UInt64: Waiting] = [:]
    var onStall: @Sendable (String) -> Void = { _ in }
  }

  private static let state = Mutex(State())

  /// From now on, no single call that opens, lists or reads may take longer.
  ///
  /// - Parameters:
  ///   - limit: in seconds.
  ///   - onStall: is called once, on a thread of its own, with the path that gave no answer; it ends the process.
  public static func start(limit: Double, onStall: @escaping @Sendable (_ path: String) -> Void) {
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
  static func begin(_ path: String) -> UInt64 {
    let (watch, mustStart) = state.withLock { state -> (UInt64, Bool) in
      guard state.limit != nil else { return (0, false) }
      let watch = state.next
      state.next += 1
      state.waiting[watch] = Waiting(path: path)
      let mustStart = !state.isRunning
      state.isRunning = true
      return (watch, mustStart)
    }
    if mustStart { DetachedThread.start { watchForEver() } }
    return watch
  }

  /// Notes that the call has ended.
  static func end(_ watch: UInt64) {
    guard watch != 0 else { return }
    state.withLock { _ = $0.waiting.removeValue(forKey: watch) }
  }

  private static func watchForEver() {
    let turn = 0.25
    while true {
      SystemClock.sleep(seconds: turn)
      // Turns are counted and not time: a process that was stopped for an hour has not waited for an hour.
      let stalled = state.withLock { state -> (String, @Sendable (String) -> Void)? in
        guard let limit = state.limit else { return nil }
        for watch in state.waiting.keys { state.waiting[watch]?.turns += 1 }
        let longest = state.waiting.values.first { Double($0.turns) * turn > limit }
        return longest.map { ($0.path, state.onStall) }
      }
      guard let (path, onStall) = stalled else { continue }
      return onStall(path)
    }
  }
}

/// The end of this process, now.
public enum ImmediateExit {
  /// Ends the process without waiting for its threads, one of which hangs in a call.
  public static func exit(status: Int32) -> Never { _exit(status) }
}
