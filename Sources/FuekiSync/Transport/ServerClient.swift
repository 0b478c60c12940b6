internal import FuekiWallet

/// Sends requests within servers' limits: few at a time, with retries where useful, and after the pauses they
/// demand.
///
/// All sources of a run share one client, because servers count all of their requests together.
public final class ServerClient: Sendable {
  /// The counts of this client's requests, and of the resyncs that use it.
  let metrics = SyncMetrics()
  private let transport: any Transport
  private let pace: Pace
  private let tries: Int
  private let deadline: Duration?
  private let gate: HostGate

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: sends the requests.
  ///   - pace: the clock for waiting.
  ///   - width: the limit of concurrent requests per server.
  ///   - tries: the limit of attempts per request.
  ///   - deadline: an upper limit of each exchange's time.
  public init(
    transport: any Transport, pace: Pace = .system, width: Int = 4, tries: Int = 5, deadline: Duration? = nil
  ) {
    self.transport = transport
    self.pace = pace
    self.tries = tries
    self.deadline = deadline
    gate = HostGate(width: width)
  }

  /// Sends a request until it is answered, or until ``RetryRule`` forbids a retry.
  ///
  /// Only reads are retried; see ``HTTPRequest/isRead``.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - reading: parses a response of any status; see ``HTTPResponse/successful()``. Its errors are treated
  ///     like other failures, so that errors in a body are retried as well.
  /// - Returns: the parsed response.
  /// - Throws: the last attempt's ``SyncError``.
  package func ask<Answer: Sendable>(
    _ request: HTTPRequest, reading: (HTTPResponse) throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer {
    var number = 0
    while true {
      let (outcome, pause) = try await attempt(request, reading: reading)
      switch outcome {
      case .success(let answer): return answer
      case .failure(let error):
        number += 1
        guard request.isRead, RetryRule(error) == .again, number < tries else { throw error }
        // The server's own pause applies to all requests and is enforced at the gate.
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
      metrics.recordRequest("unanswered")
      return (.failure(error == .cancelled ? .cancelled : .transport(error)), false)
    }
    await gate.leave(server)
    do throws(SyncError) {
      let answer = try reading(response)
      metrics.recordRequest("ok")
      return (.success(answer), false)
    } catch {
      metrics.recordRequest("refused")
      return (.failure(error), await close(server, response))
    }
  }

  /// Pauses all requests if the server demands it.
  private func close(_ server: String, _ response: HTTPResponse) async -> Bool {
    let now = pace.now()
    // A date in the past may only mean that the clocks differ. Then wait as without a date.
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
  /// Returns the body of a successful response.
  ///
  /// - Throws: ``SyncError/rateLimited`` for 429, ``SyncError/tooMuch(what:)`` for 413, and
  ///   ``SyncError/refused(status:)`` for any other.
  package func successful() throws(SyncError) -> [UInt8] {
    switch status {
    case 200...299: return body
    case 429: throw .rateLimited
    case 413: throw .tooMuch(what: "the request")
    default: throw .refused(status: status)
    }
  }
}

/// The field in which a server states when to retry.
///
/// See RFC 9110, section 10.2.3.
enum RetryAfter {
  /// Returns the seconds from now, at least 0; nil for text that is neither seconds nor a date.
  static func seconds(_ text: String, now: Double) -> Double? {
    let text = text.drop { $0 == " " }
    if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return Double(text) }
    return date(text).map { max(0, $0 - now) }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// The two obsolete formats are not supported.
  private static func date(_ text: Substring) -> Double? {
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "," })
    guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int64(parts[3]), 1970...9999 ~= year
    else { return nil }
    let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
    guard clock.count == 3, 0...23 ~= clock[0], 0...59 ~= clock[1], 0...60 ~= clock[2], 1...31 ~= day else {
      return nil
    }
    let days = CivilDate(year: year, month: Int64(month) + 1, day: day).daysSince1970
    return Double(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
  }
}

/// Limits concurrent requests per server, and pauses those for a server that demands it.
actor HostGate {
  private let width: Int
  private var inside: [String: Int] = [:]
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var closedUntil: [String: Double] = [:]

  init(width: Int) { self.width = width }

  /// Waits for a slot.
  ///
  /// Each call needs a matching ``leave(_:)``.
  func enter(_ server: String) async {
    guard inside[server, default: 0] >= width else {
      inside[server, default: 0] += 1
      return
    }
    // A leaving request hands its slot over, so the count is unchanged.
    await withCheckedContinuation { waiting[server, default: []].append($0) }
  }

  /// Releases a slot.
  func leave(_ server: String) {
    if var queue = waiting[server], !queue.isEmpty {
      let next = queue.removeFirst()
      waiting[server] = queue
      next.resume()
    } else {
      inside[server, default: 1] -= 1
    }
  }

  /// Pauses all requests to a server.
  func close(_ server: String, until time: Double) {
    closedUntil[server] = max(time, closedUntil[server] ?? 0)
  }

  /// Returns the seconds until the server's pause ends; 0 without a pause.
  func wait(for server: String, now: Double) -> Double { max(0, (closedUntil[server] ?? 0) - now) }
}
