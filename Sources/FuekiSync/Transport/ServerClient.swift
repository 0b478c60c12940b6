/// Asks servers as they want to be asked: few requests at a time, again where that helps, and not before a server
/// said that it is ready.
///
/// One is shared by all sources of a run, for servers count what all of them ask together.
public final class ServerClient: Sendable {
  private let transport: any Transport
  private let pace: Pace
  private let tries: Int
  private let deadline: Duration?
  private let gate: HostGate

  /// A client.
  ///
  /// - Parameters:
  ///   - transport: what carries the requests.
  ///   - pace: the time to wait by.
  ///   - width: how many requests one server gets at a time.
  ///   - tries: how often a request is sent at most.
  ///   - deadline: how long any exchange may take, where its request would wait longer.
  public init(
    transport: any Transport, pace: Pace = .system, width: Int = 4, tries: Int = 5, deadline: Duration? = nil
  ) {
    self.transport = transport
    self.pace = pace
    self.tries = tries
    self.deadline = deadline
    gate = HostGate(width: width)
  }

  /// Sends a request until it is answered, or until ``RetryRule`` says that it will not be.
  ///
  /// - Parameters:
  ///   - request: what is sent, each time anew.
  ///   - reading: makes the answer of a response with any status; see ``HTTPResponse/successful()``. What it throws
  ///     is judged like any other failure, so that errors within a body are tried again as well.
  /// - Returns: What the closure made.
  /// - Throws: The last try's ``SyncError``.
  public func ask<Answer: Sendable>(
    _ request: HTTPRequest, reading: (HTTPResponse) throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer {
    var number = 0
    while true {
      let (outcome, pause) = try await attempt(request, reading: reading)
      switch outcome {
      case .success(let answer): return answer
      case .failure(let error):
        number += 1
        guard RetryRule(error) == .again, number < tries else { throw error }
        // The pause is the server's own; it holds for everyone and is waited for at the gate.
        if !pause { try await wait(RetryRule.delay(afterTry: number, chance: pace.chance())) }
      }
    }
  }

  private func attempt<Answer: Sendable>(
    _ request: HTTPRequest, reading: (HTTPResponse) throws(SyncError) -> Answer
  ) async throws(SyncError) -> (Result<Answer, SyncError>, toldToPause: Bool) {
    let server = request.server
    await gate.enter(server)
    do throws(SyncError) {
      while case let seconds = await gate.wait(for: server, now: pace.now()), seconds > 0 {
        try await wait(seconds)
      }
      if Task.isCancelled { throw .cancelled }
    } catch {
      await gate.leave(server)
      throw error
    }
    var request = request
    if let deadline { request.deadline = min(deadline, request.deadline) }
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await transport.exchange(request)
    } catch {
      await gate.leave(server)
      SyncMetrics.noteRequest("unanswered")
      return (.failure(error == .cancelled ? .cancelled : .transport(error)), false)
    }
    await gate.leave(server)
    do throws(SyncError) {
      let answer = try reading(response)
      SyncMetrics.noteRequest("ok")
      return (.success(answer), false)
    } catch {
      SyncMetrics.noteRequest("refused")
      return (.failure(error), await close(server, response))
    }
  }

  /// Has everyone wait where the server says so.
  private func close(_ server: String, _ response: HTTPResponse) async -> Bool {
    let now = pace.now()
    // A date in the past may only show that the clocks differ: then the wait is as long as without one.
    guard let text = response.headers["retry-after"], let seconds = RetryAfter.seconds(text, now: now),
      seconds > 0
    else { return false }
    await gate.close(server, until: now + min(seconds, RetryRule.longestPause))
    return true
  }

  private func wait(_ seconds: Double) async throws(SyncError) {
    do { try await pace.sleep(seconds) } catch { throw .cancelled }
  }
}

extension HTTPResponse {
  /// The body of an answer with a status of success.
  ///
  /// - Throws: ``SyncError/rateLimited`` for 429, ``SyncError/tooMuch(what:)`` for 413, and
  ///   ``SyncError/refused(status:)`` for any other.
  public func successful() throws(SyncError) -> [UInt8] {
    switch status {
    case 200...299: return body
    case 429: throw .rateLimited
    case 413: throw .tooMuch(what: "the request")
    default: throw .refused(status: status)
    }
  }
}
