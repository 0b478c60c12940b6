// OperationQueue and NSCondition are not in the essentials.
internal import Foundation
internal import FoundationNetworking

/// The queue on which a session's listener hears of its exchanges, one thing at a time.
///
/// URLSession reads on, and queues what it read, whether or not the listener keeps up: a server that sends without end
/// would fill the memory, also while its exchange is being cancelled. Here it waits while much is queued. So a
/// listener must never wait for the session, but in ``end(_:)``, which lets the session through meanwhile.
final class ListenerQueue: OperationQueue, @unchecked Sendable {
  /// How many things may be waiting; each has at most some 16 KiB with it.
  private static let room = 64

  private let changed = NSCondition()
  private var waiting = 0
  private var isEnding = false

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    changed.withLock {
      while waiting >= Self.room && !isEnding { changed.wait() }
      waiting += 1
    }
    super.addOperation { [self] in
      block()
      changed.withLock {
        waiting -= 1
        changed.signal()
      }
    }
  }

  /// Cancels a task, unless it has ended, in its turn.
  ///
  /// URLSession cancels in two steps, and ends the program where the listener hears between them that the task has
  /// ended of itself. So it is done here, where the listener hears of nothing until both are over.
  func end(_ task: URLSessionTask) {
    super.addOperation { [self] in
      changed.withLock {
        isEnding = true
        changed.broadcast()
      }
      task.cancel()
      // It is read behind the second step, on the task's own queue.
      _ = task.priority
      changed.withLock { isEnding = false }
    }
  }
}
