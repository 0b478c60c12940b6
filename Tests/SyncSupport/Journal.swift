internal import Synchronization

/// What happened, in order, noted from wherever.
package final class Journal<Entry: Sendable>: Sendable {
  private let noted = Mutex<[Entry]>([])

  package init() {}

  package var entries: [Entry] { noted.withLock { $0 } }

  /// Notes something down.
  ///
  /// - Returns: How many entries there were before.
  @discardableResult package func note(_ entry: Entry) -> Int {
    noted.withLock {
      $0.append(entry)
      return $0.count - 1
    }
  }
}
