// OperationQueue is not in the essentials.
internal import Dispatch
internal import Foundation

/// The queue on which a session's listener hears of its exchanges, one thing at a time.
///
/// URLSession reads on, and queues what it read, whether or not the listener keeps up: a server that sends without end
/// would fill the memory, also while its exchange is being cancelled. Here it waits while much is queued. So a
/// listener must never wait for the session, as cancelling a task does.
final class ListenerQueue: OperationQueue, @unchecked Sendable {
  /// How many things may be waiting; each has at most some 16 KiB with it.
  private let room = DispatchSemaphore(value: 64)

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    room.wait()
    super.addOperation { [room] in
      block()
      room.signal()
    }
  }
}
