internal import Synchronization

/// A thread-safe, ordered log of events.
package final class Journal<Entry: Sendable>: Sendable {
  private let noted = Mutex<[Entry]>([])

  package init() {}

  package var entries: [Entry] { noted.withLock { $0 } }

  /// Appends an entry.
  ///
  /// - Returns: The number of entries before.
  @discardableResult package func note(_ entry: Entry) -> Int {
    noted.withLock {
      $0.append(entry)
      return $0.count - 1
    }
  }
}
