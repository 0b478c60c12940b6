internal import Synchronization

/// An exchange that is going on: what has come so far, and who waits for the end.
///
/// It ends once, by whichever comes first: the answer, an error, its deadline or its cancellation.
final class PendingExchange: Sendable {
  typealias Outcome = Result<HTTPResponse, TransportError>

  private struct State {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    var outcome: Outcome?
    var listener: (@Sendable (Outcome) -> Void)?
    /// Whether URLSession ends the task by itself, or has.
    var endsOfItself = false
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// Has the outcome told to someone, at once where it is there.
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

  /// Lets URLSession be answered, unless the exchange has ended.
  ///
  /// A task that is being cancelled waits for no answer, and ends the program at one. Whoever cancels it ends the
  /// exchange first, and cannot while this runs: the answer must not wait for anything.
  ///
  /// - Parameters:
  ///   - ending: whether the answer ends the task.
  ///   - answer: gives the answer.
  func whileOpen(ending: Bool, _ answer: () -> Void) {
    state.withLock { state in
      guard state.outcome == nil else { return }
      if ending { state.endsOfItself = true }
      answer()
    }
  }

  /// Whether the task goes on for as long as nobody cancels it: URLSession ends the program where it is told to cancel
  /// a task that it ends already.
  var needsCancelling: Bool { state.withLock { !$0.endsOfItself } }

  /// URLSession ends the task, or has: from here on nobody else does.
  func endsOfItself() { state.withLock { $0.endsOfItself = true } }

  /// Takes the head of the answer.
  ///
  /// - Returns: Whether the body is wanted.
  func begin(status: Int, headers: [String: String], announced: Int64) -> Bool {
    state.withLock {
      $0.status = status
      $0.headers = headers
    }
    return announced <= Int64(limit)
  }

  /// Takes more of the body, unless the exchange has ended.
  func append(_ bytes: some Collection<UInt8>) {
    let isWanted = state.withLock { state in
      guard state.outcome == nil, state.body.count + bytes.count <= limit else { return false }
      state.body.append(contentsOf: bytes)
      return true
    }
    if !isWanted { refuse() }
  }

  /// Ends the exchange because the answer is longer than it may be.
  func refuse() { finish(.failure(.tooLarge(limit: limit))) }

  /// The server said all that it had to say.
  func complete() {
    let response = state.withLock { HTTPResponse(status: $0.status, headers: $0.headers, body: $0.body) }
    guard response.status != 0 else { return finish(.failure(.unreachable(reason: "no answer"))) }
    finish(.success(response))
  }
}
