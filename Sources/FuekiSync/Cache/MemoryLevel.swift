internal import FuekiSystem

/// The first level of a cache: a limited number of this process's answers.
final class MemoryLevel: Sendable {
  private struct Entry: Sendable {
    let value: any Sendable
    let time: Double
    var used: UInt64
  }

  private struct State {
    var entries: [CacheKey: Entry] = [:]
    var clock: UInt64 = 0
    var removals = 0
  }

  private let limit: Int
  private let state = Locked(State())

  /// Creates a level with at most `limit` entries.
  init(limit: Int) { self.limit = max(1, limit) }

  /// The number of removals so far.
  var removals: Int { state.withLock { $0.removals } }

  /// Stores a value, evicting the least recently used one if necessary.
  ///
  /// `removals` is ``removals`` when the value was requested. If anything was removed since, nothing is stored, and the
  /// result is false.
  @discardableResult
  func keep(_ value: any Sendable, for key: CacheKey, at time: Double, since removals: Int) -> Bool {
    state.withLock { state in
      guard state.removals == removals else { return false }
      state.clock += 1
      state.entries[key] = Entry(value: value, time: time, used: state.clock)
      if state.entries.count > limit,
        let oldest = state.entries.min(by: { $0.value.used < $1.value.used })
      {
        state.entries[oldest.key] = nil
      }
      return true
    }
  }

  /// Returns the value and its time; nil if there is none of that type.
  func value<Value: Sendable>(for key: CacheKey) -> (value: Value, time: Double)? {
    state.withLock { state in
      guard var entry = state.entries[key], let value = entry.value as? Value else { return nil }
      state.clock += 1
      entry.used = state.clock
      state.entries[key] = entry
      return (value, entry.time)
    }
  }

  /// Removes the entries for which the closure returns true.
  func remove(where isRemoved: @Sendable (CacheKey) -> Bool) {
    state.withLock { state in
      state.removals += 1
      state.entries = state.entries.filter { !isRemoved($0.key) }
    }
  }
}
