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
