internal import FuekiSystem

/// The first level of the cache: a limited number of this process's answers for a limited time.
final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    let value: Value
    let time: Double
    var used: UInt64
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var clock: UInt64 = 0
  }

  private let lifetime: Double
  private let limit: Int
  private let state = Locked(State())

  /// Creates a cache.
  ///
  /// `lifetime` is in seconds, and `limit` is the number of entries.
  init(lifetime: Double, limit: Int) {
    self.lifetime = lifetime
    self.limit = max(1, limit)
  }

  /// Stores a value, evicting the least recently used one if necessary.
  func keep(_ value: Value, for key: Key, at time: Double) {
    state.withLock { state in
      state.clock += 1
      state.entries[key] = Entry(value: value, time: time, used: state.clock)
      guard state.entries.count > limit,
        let oldest = state.entries.min(by: { $0.value.used < $1.value.used })
      else { return }
      state.entries[oldest.key] = nil
    }
  }

  /// Returns the value, its time, and whether it is recent.
  func value(for key: Key, at time: Double) -> (value: Value, time: Double, isNew: Bool)? {
    state.withLock { state in
      guard var entry = state.entries[key] else { return nil }
      state.clock += 1
      entry.used = state.clock
      state.entries[key] = entry
      // A clock set back must not make a value recent forever.
      return (entry.value, entry.time, (0...lifetime).contains(time - entry.time))
    }
  }

  var count: Int { state.withLock { $0.entries.count } }
}
