internal import FuekiSystem
internal import Synchronization

/// The synchronous core for an asynchronous caller: on a thread of its own, and stopped with the caller's task.
enum BlockingRun {
  /// Whether the caller's task was cancelled.
  final class Cancellation: Sendable {
    private let wasRequested = Atomic(false)

    fileprivate var isRequested: Bool { wasRequested.load(ordering: .relaxed) }

    fileprivate func request() { wasRequested.store(true, ordering: .relaxed) }

    /// Stops the run if the task was cancelled, as a signal stops a command.
    func check() throws(Interrupted) {
      if isRequested { throw Interrupted() }
    }
  }

  /// Runs work that blocks.
  ///
  /// - Parameter body: the work. It calls ``Cancellation/check()`` between its steps.
  /// - Returns: the result of the work.
  /// - Throws: `CancellationError` if the task was cancelled and the work stopped for it, and the errors of the work.
  static func run<Answer: Sendable>(
    _ body: @escaping @Sendable (Cancellation) throws -> Answer
  ) async throws -> Answer {
    let cancellation = Cancellation()
    do {
      return try await withTaskCancellationHandler {
        try await OwnThread.run {
          try cancellation.check()
          return try body(cancellation)
        }
      } onCancel: {
        cancellation.request()
      }
    } catch  where cancellation.isRequested && Interrupted.isCause(of: error) {
      throw CancellationError()
    }
  }
}
