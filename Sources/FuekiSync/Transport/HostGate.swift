/// Lets a few requests at a time through to each server, and none while a server wants to be left alone.
actor HostGate {
  private let width: Int
  private var inside: [String: Int] = [:]
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var closedUntil: [String: Double] = [:]

  init(width: Int) { self.width = width }

  /// Waits for one's turn; each call needs its ``leave(_:)``.
  func enter(_ server: String) async {
    guard inside[server, default: 0] >= width else {
      inside[server, default: 0] += 1
      return
    }
    // Whoever leaves hands the place over, so the count stays.
    await withCheckedContinuation { waiting[server, default: []].append($0) }
  }

  /// Makes room for the next.
  func leave(_ server: String) {
    if var queue = waiting[server], !queue.isEmpty {
      let next = queue.removeFirst()
      waiting[server] = queue
      next.resume()
    } else {
      inside[server, default: 1] -= 1
    }
  }

  /// Keeps everyone from a server for a while.
  func close(_ server: String, until time: Double) {
    closedUntil[server] = max(time, closedUntil[server] ?? 0)
  }

  /// How many seconds the server still wants to be left alone; 0 for none.
  func wait(for server: String, now: Double) -> Double { max(0, (closedUntil[server] ?? 0) - now) }
}
