internal import FoundationEssentials
internal import FuekiSystem

/// Answers of servers and other sources: from the network, this process's memory, or a folder.
///
/// A failure never replaces a known answer, and concurrent requests for one are one request. The folder is not for data
/// that must last: a file that cannot be written or read is no error but no answer.
public final class Cache: Sendable {
  /// A running request.
  ///
  /// Requests for values of other types are other requests.
  private struct Running: Hashable, Sendable {
    let key: CacheKey
    let type: ObjectIdentifier
  }

  private let memory: MemoryLevel
  private let disk: DiskLevel?
  private let lifetimes: Lifetimes
  private let now: @Sendable () -> Double
  private let tasks = SharedTasks<Running, Result<any Sendable, any Error>>()

  /// Creates a cache.
  ///
  /// Give each user of an app a folder, because the answers for one are not those for another.
  ///
  /// - Parameters:
  ///   - folder: the folder of the files, made when needed; nil to keep answers in memory only. Kinds of secrets and
  ///     session data stay in memory in any case.
  ///   - lifetimes: how long answers are recent.
  ///   - memory: the number of answers kept in memory.
  ///   - bytes: the limit of all files.
  ///   - now: returns seconds since 1970.
  public init(
    folder: String?, lifetimes: Lifetimes = Lifetimes(), memory: Int = 256, bytes: Int = 64 << 20,
    now: @escaping @Sendable () -> Double = Pace.system.now
  ) {
    self.memory = MemoryLevel(limit: memory)
    disk = folder.map { DiskLevel(folder: $0, limit: bytes) }
    self.lifetimes = lifetimes
    self.now = now
  }

  /// Returns an answer by the policy.
  ///
  /// - Parameters:
  ///   - key: the answer's name within its kind.
  ///   - kind: the kind.
  ///   - policy: the sources and their order.
  ///   - fetch: requests the answer. It is cancelled when all callers that wait for it are.
  /// - Returns: the answer, with the failure of `fetch` if it is an older one.
  /// - Throws: the error of `fetch`, or ``SyncFailure/nothingKnown``, if nothing is known.
  public func answer<Value: Codable & Sendable>(
    for key: String, kind: DataKind, _ policy: CachePolicy = .cacheFirst,
    fetch: @escaping @Sendable () async throws -> Value
  ) async throws -> Cached<Value> {
    let key = CacheKey(kind: kind, text: key)
    return try await answer(for: key, policy, below: level(key), fetch: fetch)
  }

  /// Returns an endpoint's answer by the policy.
  ///
  /// Requests that are no reads always go to the server, and their answers are not kept.
  public func answer<Value: Codable & Sendable>(
    _ endpoint: ServerEndpoint<Value>, from client: ServerClient, _ policy: CachePolicy = .cacheFirst
  ) async throws -> Cached<Value> {
    try await answer(endpoint, from: client, policy) { _ in }
  }

  /// Returns the known answer of an endpoint first, if there is one, and then the server's.
  ///
  /// If the server fails, the second is the known one with the failure.
  public func answers<Value: Codable & Sendable>(
    _ endpoint: ServerEndpoint<Value>, from client: ServerClient
  ) -> AsyncThrowingStream<Cached<Value>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let last = try await self.answer(endpoint, from: client, .cacheAndNetwork) {
            continuation.yield($0)
          }
          continuation.yield(last)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func answer<Value: Codable & Sendable>(
    _ endpoint: ServerEndpoint<Value>, from client: ServerClient, _ policy: CachePolicy,
    show: (Cached<Value>) -> Void
  ) async throws -> Cached<Value> {
    guard endpoint.request.isRead else {
      return Cached(value: try await client.answer(endpoint), origin: .network, age: 0)
    }
    let key = CacheKey(kind: endpoint.kind, text: endpoint.key)
    return try await answer(
      for: key, policy, below: level(key), fetch: { try await client.answer(endpoint) }, show: show)
  }

  /// Keeps a value as if it had just been fetched.
  public func keep<Value: Codable & Sendable>(_ value: Value, for key: String, kind: DataKind) async {
    let key = CacheKey(kind: kind, text: key)
    let time = now()
    memory.keep(value, for: key, at: time, since: memory.removals)
    await level(key, of: Value.self)?.write(value, time)
  }

  /// Forgets an answer.
  ///
  /// - Throws: errors of removing its file.
  public func remove(_ key: String, kind: DataKind) async throws {
    let key = CacheKey(kind: kind, text: key)
    memory.remove { $0 == key }
    guard let disk else { return }
    try await OwnThread.run { try disk.remove(key) }
  }

  /// Forgets all answers of a kind, or all, and those of requests that are still running.
  ///
  /// - Throws: errors of removing files.
  public func clear(_ kind: DataKind? = nil) async throws {
    memory.remove { kind == nil || $0.kind == kind }
    guard let disk else { return }
    try await OwnThread.run { try disk.clear(kind) }
  }

  /// The number of callers that wait for a request.
  package var waiting: Int { get async { await tasks.waiting } }

  /// The files, for an answer that may lie in one.
  private func level<Value: Codable & Sendable>(
    _ key: CacheKey, of type: Value.Type = Value.self
  ) -> SecondLevel<Value>? {
    guard let disk, key.kind.mayLieOnDisk else { return nil }
    let now = now
    return SecondLevel(origin: .disk) {
      guard let kept = (try? await OwnThread.run { disk.value(for: key, at: now()) }).flatMap({ $0 }),
        let value = try? JSONDecoder().decode(Value.self, from: Data(kept.json))
      else { return nil }
      return (value, kept.time)
    } write: { value, time in
      guard let json = try? JSONEncoder().encode(value) else { return }
      try? await OwnThread.run { try disk.keep([UInt8](json), for: key, at: time) }
    }
  }
}

extension Cache {
  /// Returns an answer by the policy, with any level below memory.
  ///
  /// `show` receives the known value before the request, if the policy demands it.
  func answer<Value: Sendable>(
    for key: CacheKey, _ policy: CachePolicy, below: SecondLevel<Value>?,
    fetch: @escaping @Sendable () async throws -> Value, show: (Cached<Value>) -> Void = { _ in }
  ) async throws -> Cached<Value> {
    var failure: (any Error)?
    for step in policy.steps {
      switch step {
      case .show:
        if let known = await known(key, below) { show(known.answer) }
      case .fresh:
        if let known = await known(key, below), known.isRecent { return known.answer }
      case .network:
        do {
          return Cached(value: try await shared(key, below, fetch), origin: .network, age: 0)
        } catch {
          failure = error
        }
      case .known:
        guard var known = await known(key, below)?.answer else { continue }
        known.failure = failure
        return known
      }
    }
    throw failure ?? SyncFailure.nothingKnown
  }

  private func shared<Value: Sendable>(
    _ key: CacheKey, _ below: SecondLevel<Value>?, _ fetch: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let running = Running(key: key, type: ObjectIdentifier(Value.self))
    let result = await tasks.value(for: running) { [memory, now] in
      do {
        let removals = memory.removals
        let value = try await fetch()
        let time = now()
        if memory.keep(value, for: key, at: time, since: removals) { await below?.write(value, time) }
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    guard let value = try result.get() as? Value else { throw SyncFailure.nothingKnown }
    return value
  }

  private func known<Value: Sendable>(
    _ key: CacheKey, _ below: SecondLevel<Value>?
  ) async -> (answer: Cached<Value>, isRecent: Bool)? {
    var kept: (value: Value, time: Double)? = memory.value(for: key)
    var origin = AnswerOrigin.memory
    if kept == nil, let below {
      kept = await below.read()
      origin = below.origin
    }
    guard let kept else { return nil }
    let age = now() - kept.time
    // A clock set back must not make a value recent forever.
    let isRecent = (0...(lifetimes[key.kind] / .seconds(1))).contains(age)
    return (Cached(value: kept.value, origin: origin, age: max(0, age)), isRecent)
  }
}
