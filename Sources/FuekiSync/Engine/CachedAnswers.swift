internal import FuekiSystem

/// The sources of an answer, and their order.
public enum CachePolicy: String, CaseIterable, Sendable {
  /// From the chain.
  ///
  /// If that fails, the known value, marked with its age.
  case networkFirst = "network-first"
  /// The known value if it is recent enough, else as ``networkFirst``.
  case cacheFirst = "cache-first"
  /// Only from the chain.
  case networkOnly = "network-only"
  /// The known value, whatever its age, without querying a chain.
  case cacheOnly = "cache-only"
  /// The known value immediately, then as ``networkFirst``.
  case cacheAndNetwork = "cache-and-network"

  /// A step in finding an answer.
  enum Step: Equatable, Sendable {
    /// Shows the known value and continues.
    case show
    /// Ends with the known value if it is recent enough.
    case fresh
    /// Ends with the chain's answer.
    case network
    /// Ends with the known value, whatever its age, from memory before the store.
    case known
  }

  /// The steps of the policy.
  ///
  /// The first one with an answer ends it.
  var steps: [Step] {
    switch self {
    case .networkFirst: [.network, .known]
    case .cacheFirst: [.fresh, .network, .known]
    case .networkOnly: [.network]
    case .cacheOnly: [.known]
    case .cacheAndNetwork: [.show, .network, .known]
    }
  }
}

/// Answers by a policy, from the chain, this process's memory, or the store.
struct CachedAnswers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// An answer and its origin.
  struct Answer: Sendable {
    enum Origin: String, Sendable {
      case network, memory, store
    }

    let value: Value
    let origin: Origin
    /// Seconds since 1970.
    let time: Double
    /// Why the chain did not answer, if it was queried.
    var failure: SyncFailure?
  }

  let memory: MemoryCache<Key, Value>
  /// The time for which a stored value is recent, in seconds.
  let lifetime: Double
  let now: @Sendable () -> Double
  private let tasks = SharedTasks<Key, Result<Value, SyncFailure>>()

  init(lifetime: Double, limit: Int, now: @escaping @Sendable () -> Double) {
    memory = MemoryCache(lifetime: lifetime, limit: limit)
    self.lifetime = lifetime
    self.now = now
  }

  /// Returns the answer for a key.
  ///
  /// Results of `fetch` are kept in memory, which a failure does not change. `stored` returns the second
  /// level's value and its time. `show` receives the known value before the chain is queried, if the policy
  /// demands it.
  func answer(
    for key: Key, _ policy: CachePolicy, fetch: @escaping @Sendable () async throws(SyncFailure) -> Value,
    stored: () -> (value: Value, time: Double)?, show: (Answer) -> Void = { _ in }
  ) async throws(SyncFailure) -> Answer {
    var failure: SyncFailure?
    for step in policy.steps {
      switch step {
      case .show:
        if let known = known(key, stored)?.answer { show(known) }
      case .fresh:
        if let known = known(key, stored), known.isNew { return known.answer }
      case .network:
        switch await shared(key, fetch) {
        case .success(let value): return Answer(value: value, origin: .network, time: now())
        case .failure(let error): failure = error
        }
      case .known:
        guard var known = known(key, stored)?.answer else { continue }
        known.failure = failure
        return known
      }
    }
    throw failure ?? .nothingKnown
  }

  /// The number of requests that wait for the network.
  var waiting: Int { get async { await tasks.waiting } }

  private func shared(
    _ key: Key, _ fetch: @escaping @Sendable () async throws(SyncFailure) -> Value
  ) async -> Result<Value, SyncFailure> {
    await tasks.value(for: key) { [memory, now] in
      do throws(SyncFailure) {
        let value = try await fetch()
        memory.keep(value, for: key, at: now())
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
  }

  private func known(
    _ key: Key, _ stored: () -> (value: Value, time: Double)?
  ) -> (answer: Answer, isNew: Bool)? {
    let now = now()
    if let kept = memory.value(for: key, at: now) {
      return (Answer(value: kept.value, origin: .memory, time: kept.time), kept.isNew)
    }
    guard let kept = stored() else { return nil }
    let isNew = (0...lifetime).contains(now - kept.time)
    return (Answer(value: kept.value, origin: .store, time: kept.time), isNew)
  }
}

/// Shares one task among concurrent requests for the same key.
actor SharedTasks<Key: Hashable & Sendable, Value: Sendable> {
  private struct Running {
    let number: Int
    let task: Task<Value, Never>
    var waiting: Int
  }

  private var running: [Key: Running] = [:]
  private var count = 0

  /// The number of requests that wait for a task.
  var waiting: Int { running.values.reduce(0) { $0 + $1.waiting } }

  /// Returns the result of `make`, or of the running task for the key.
  ///
  /// The task is cancelled when all of its waiters are.
  func value(for key: Key, _ make: @escaping @Sendable () async -> Value) async -> Value {
    let number: Int
    let task: Task<Value, Never>
    if var shared = running[key] {
      shared.waiting += 1
      running[key] = shared
      (number, task) = (shared.number, shared.task)
    } else {
      count += 1
      number = count
      task = Task { await make() }
      running[key] = Running(number: number, task: task, waiting: 1)
    }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      Task { await self.giveUp(key, number) }
    }
    if running[key]?.number == number { running[key] = nil }
    return value
  }

  private func giveUp(_ key: Key, _ number: Int) {
    guard var shared = running[key], shared.number == number else { return }
    shared.waiting -= 1
    running[key] = shared
    guard shared.waiting == 0 else { return }
    shared.task.cancel()
    // Later requests must not be cancelled along with earlier ones.
    running[key] = nil
  }
}

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
}
