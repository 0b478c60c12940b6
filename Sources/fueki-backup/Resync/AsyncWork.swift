internal import FuekiBackup
internal import FuekiSystem
internal import Synchronization

/// Work that waits for servers, for a command that waits for it.
enum AsyncWork {
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs work to its end; a wish that the program stop cancels it.
  ///
  /// - Throws: What the work throws, and ``Interrupted``.
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
        // What does not notice is left to the end of the process.
        guard Interruption.age < Interruption.childGrace else { throw Interrupted() }
      }
      // This thread belongs to nobody else: the work runs on others.
      SystemClock.sleep(seconds: 0.01)
    }
  }

  /// Waits, but no longer than until a stop is asked for.
  static func pause(seconds: Double) throws {
    let end = SystemClock.monotonicSeconds + seconds
    repeat {
      if Interruption.wasRequested { throw Interrupted() }
      SystemClock.sleep(seconds: min(0.2, max(0.01, end - SystemClock.monotonicSeconds)))
    } while SystemClock.monotonicSeconds < end
  }
}
