internal import FuekiBackup
internal import FuekiSystem

/// Work that waits for servers, for a command that waits for it.
enum AsyncWork {
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Locked<Result<Value, any Error>?>(nil)
  }

  /// Runs work to its end.
  ///
  /// A request to stop the program cancels it.
  ///
  /// - Throws: errors from the work, and ``Interrupted``.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    let task = Task.detached {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
    }
    while true {
      if let result = outcome.result.withLock({ $0 }) {
        if Interruption.wasRequested { throw Interrupted() }
        return try result.get()
      }
      if Interruption.wasRequested {
        task.cancel()
        // Work that ignores the cancellation ends with the process.
        guard Interruption.age < Interruption.childGrace else { throw Interrupted() }
      }
      // This thread may sleep, because the work runs on others.
      SystemClock.sleep(seconds: 0.01)
    }
  }

  /// Waits, but no longer than until a requested stop.
  static func pause(seconds: Double) throws {
    let end = SystemClock.monotonicSeconds + seconds
    repeat {
      if Interruption.wasRequested { throw Interrupted() }
      SystemClock.sleep(seconds: min(0.2, max(0.01, end - SystemClock.monotonicSeconds)))
    } while SystemClock.monotonicSeconds < end
  }
}
