// OperationQueue is not in FoundationEssentials.
internal import Dispatch
internal import Foundation

/// The serial queue of a session's callbacks, with backpressure.
///
/// URLSession keeps reading and queueing even if the listener is slow, so a server that never stops sending
/// would fill the memory, even while its exchange is being cancelled. Here it waits while much is queued. A
/// listener must therefore never wait for the session, as cancelling a task does.
final class ListenerQueue: OperationQueue, @unchecked Sendable {
  /// The limit of waiting callbacks, each with at most about 16 KiB.
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
