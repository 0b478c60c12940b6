internal import FuekiSync
internal import FuekiSystem
internal import Synchronization

/// One request from where nothing is asynchronous.
enum Exchange {
  private final class Answer: Sendable {
    let result = Mutex<Result<HTTPResponse, TransportError>?>(nil)
  }

  /// The answer to a request, or `.deadline`, whatever the transport does meanwhile.
  static func answer(
    to request: HTTPRequest, within seconds: Double, over transport: some Transport = URLSessionTransport()
  ) -> Result<HTTPResponse, TransportError> {
    let answer = Answer()
    let task = Task.detached {
      let result: Result<HTTPResponse, TransportError>
      do throws(TransportError) {
        result = .success(try await transport.exchange(request))
      } catch {
        result = .failure(error)
      }
      answer.result.withLock { $0 = result }
    }
    let end = SystemClock.monotonicSeconds + seconds
    while SystemClock.monotonicSeconds < end, Interruption.age < Interruption.cleanupSeconds {
      if let result = answer.result.withLock({ $0 }) { return result }
      SystemClock.sleep(seconds: 0.005)
    }
    task.cancel()
    return .failure(.deadline)
  }
}
