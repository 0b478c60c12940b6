// OperationQueue and NSCondition are not in the essentials.
internal import Foundation

/// The queue on which a session's listener hears of its exchanges, one thing at a time.
///
/// URLSession reads on, and queues what it read, whether or not the listener keeps up: a server that sends without end
/// would fill the memory, also while its exchange is being cancelled. Here it waits while much is queued. So a
/// listener must never wait for the session, but within ``lettingTheSessionOn(_:)``.
final class ListenerQueue: OperationQueue, @unchecked Sendable {
  /// How many things may be waiting; each has at most some 16 KiB with it.
  private static let room = 64

  private let changed = NSCondition()
  private var waiting = 0
  private var isOpen = false

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    changed.withLock {
      while waiting >= Self.room && !isOpen { changed.wait() }
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

  /// Waits for something that needs the session to go on, from within the queue.
  func lettingTheSessionOn(_ wait: () -> Void) {
    changed.withLock {
      isOpen = true
      changed.broadcast()
    }
    wait()
    changed.withLock { isOpen = false }
  }
}
