internal import FuekiSystem

/// An in-flight request: the data so far, and the waiter.
///
/// It ends once, with whichever comes first: the answer, an error, its deadline or its cancellation.
final class PendingExchange: Sendable {
  typealias Outcome = Result<HTTPResponse, TransportError>

  private struct State {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var outcome: Outcome?
    var listener: (@Sendable (Outcome) -> Void)?
    /// Whether URLSession ends the task by itself, or has ended it.
    var endsOfItself = false
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  /// Passes the outcome to a listener, immediately if it exists.
  func onFinish(_ listener: @escaping @Sendable (Outcome) -> Void) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.listener = listener }
      return state.outcome
    }
    if let outcome { listener(outcome) }
  }

  /// Ends the exchange, unless it has ended.
  func finish(_ outcome: Outcome) {
    let listener = state.withLock { state in
      guard state.outcome == nil else { return nil as (@Sendable (Outcome) -> Void)? }
      state.outcome = outcome
      state.body = []
      defer { state.listener = nil }
      return state.listener
    }
    listener?(outcome)
  }

  /// Answers URLSession, unless the exchange has ended.
  ///
  /// A task that is being cancelled expects no answer, and one would crash the program. The canceller ends
  /// the exchange first, which is impossible while this runs, so the answer must not wait for anything.
  ///
  /// - Parameters:
  ///   - ending: whether the answer ends the task.
  ///   - answer: sends the answer.
  func whileOpen(ending: Bool, _ answer: () -> Void) {
    state.withLock { state in
      guard state.outcome == nil else { return }
      if ending { state.endsOfItself = true }
      answer()
    }
  }

  /// Whether the task continues until it is cancelled.
  ///
  /// URLSession crashes the program if a task that it is already ending is cancelled.
  var needsCancelling: Bool { state.withLock { !$0.endsOfItself } }

  /// Records that URLSession ends the task, which must not be cancelled any more.
  func endsOfItself() { state.withLock { $0.endsOfItself = true } }

  /// Receives the head of the answer.
  ///
  /// - Returns: whether the body should be received.
  func begin(status: Int, headers: [String: String], announced: Int64) -> Bool {
    state.withLock {
      $0.status = status
      $0.headers = headers
    }
    return announced <= Int64(limit)
  }

  /// Appends to the body, unless the exchange has ended.
  func append(_ bytes: some Collection<UInt8>) {
    let isWanted = state.withLock { state in
      guard state.outcome == nil, state.body.count + bytes.count <= limit else { return false }
      state.body.append(contentsOf: bytes)
      return true
    }
    if !isWanted { refuse() }
  }

  /// Ends the exchange because the answer exceeds its limit.
  func refuse() { finish(.failure(.tooLarge(limit: limit))) }

  /// Ends the exchange with the complete answer.
  func complete() {
    let response = state.withLock { HTTPResponse(status: $0.status, headers: $0.headers, body: $0.body) }
    guard response.status != 0 else { return finish(.failure(.unreachable(reason: "no answer"))) }
    finish(.success(response))
  }
}
