import FuekiCrypto
import FuekiSync
import FuekiSystem
import FuekiWallet
import Synchronization
import TestSupport
import Testing

/// The cache for answers of any kind: its policies, its levels, and what it leaves alone.
@Suite struct CacheTests {
  private struct Down: Error {}

  /// A source that the test turns on and off, and that counts its requests.
  private final class Source: Sendable {
    private let state = Mutex((value: 1, isUp: true, count: 0))
    var count: Int { state.withLock { $0.count } }

    func set(_ value: Int, isUp: Bool = true) {
      state.withLock { ($0.value, $0.isUp) = (value, isUp) }
    }

    func fetch() throws -> Int {
      try state.withLock {
        $0.count += 1
        guard $0.isUp else { throw Down() }
        return $0.value
      }
    }
  }

  private let clock = Clock()
  private let source = Source()

  private func cache(_ folder: String?, memory: Int = 256, bytes: Int = 1 << 20) -> Cache {
    Cache(folder: folder, memory: memory, bytes: bytes, now: clock.now)
  }

  private func answer(
    _ cache: Cache, _ key: String = "a", _ kind: DataKind = .other, _ policy: CachePolicy = .cacheFirst
  ) async throws -> Cached<Int> {
    try await cache.answer(for: key, kind: kind, policy) { [source] in try source.fetch() }
  }

  /// The names of the cache's files.
  private func files(_ folder: String) throws -> [String] {
    try Directory.open(folder).list().compactMap(\.text)
  }

  /// The answer of each policy with the network up or down, and a value that is known, old, or missing.
  @Test(
    arguments: [
      // policy, is up, age of what is known, requests, value (1 known, 2 new), has a failure
      (CachePolicy.networkFirst, true, 10, 1, 2, false), (.networkFirst, true, 1000, 1, 2, false),
      (.networkFirst, true, nil, 1, 2, false), (.networkFirst, false, 10, 1, 1, true),
      (.networkFirst, false, 1000, 1, 1, true), (.networkFirst, false, nil, 1, nil, true),
      (.cacheFirst, true, 10, 0, 1, false), (.cacheFirst, true, 1000, 1, 2, false),
      (.cacheFirst, true, nil, 1, 2, false), (.cacheFirst, false, 10, 0, 1, false),
      (.cacheFirst, false, 1000, 1, 1, true), (.cacheFirst, false, nil, 1, nil, true),
      (.networkOnly, true, 10, 1, 2, false), (.networkOnly, true, 1000, 1, 2, false),
      (.networkOnly, true, nil, 1, 2, false), (.networkOnly, false, 10, 1, nil, true),
      (.networkOnly, false, 1000, 1, nil, true), (.networkOnly, false, nil, 1, nil, true),
      (.cacheOnly, true, 10, 0, 1, false), (.cacheOnly, true, 1000, 0, 1, false),
      (.cacheOnly, true, nil, 0, nil, true), (.cacheOnly, false, 10, 0, 1, false),
      (.cacheOnly, false, 1000, 0, 1, false), (.cacheOnly, false, nil, 0, nil, true),
      (.cacheAndNetwork, true, 10, 1, 2, false), (.cacheAndNetwork, true, 1000, 1, 2, false),
      (.cacheAndNetwork, true, nil, 1, 2, false), (.cacheAndNetwork, false, 10, 1, 1, true),
      (.cacheAndNetwork, false, 1000, 1, 1, true), (.cacheAndNetwork, false, nil, 1, nil, true),
    ] as [(CachePolicy, Bool, Double?, Int, Int?, Bool)])
  func `each policy answers from its levels, and a failure is beside the old value`(
    policy: CachePolicy, isUp: Bool, age: Double?, requests: Int, value: Int?, fails: Bool
  ) async throws {
    for isInMemory in [true, false] {
      let folder = try TemporaryDirectory()
      source.set(1)
      var cache = cache(folder.path)
      if let age {
        _ = try await answer(cache)
        clock.advance(age)
      }
      if !isInMemory { cache = self.cache(folder.path) }
      source.set(2, isUp: isUp)
      let before = source.count
      let found = try? await answer(cache, "a", .other, policy)
      #expect(source.count - before == requests)
      #expect(found?.value == value)
      #expect((found?.failure != nil || found == nil) == fails)
      if let found {
        #expect(found.origin == (found.value == 2 ? .network : isInMemory ? .memory : .disk))
        #expect(found.age == (found.value == 2 ? 0 : age))
      }
      // A failure replaces nothing, on either level.
      if !isUp, age != nil {
        #expect(try await answer(cache, "a", .other, .cacheOnly).value == 1)
        #expect(try await answer(self.cache(folder.path), "a", .other, .cacheOnly).value == 1)
      }
    }
  }

  @Test func `a hundred callers are one request`() async throws {
    let (cache, gate) = (cache(nil), Gate())
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { [source] in
          try await cache.answer(for: "a", kind: .other) {
            try await gate.wait()
            return try source.fetch()
          }.value
        }
      }
      try await Gate.wait { await cache.waiting == 100 }
      gate.open()
      for try await value in group { #expect(value == 1) }
    }
    #expect(source.count == 1)
  }

  @Test func `the last caller that gives up cancels the request`() async throws {
    let (cache, gate, wasCancelled) = (cache(nil), Gate(), Journal<Void>())
    let callers = (0..<2).map { _ in
      Task {
        try await cache.answer(for: "a", kind: .other) { () async throws -> Int in
          do { try await gate.wait() } catch {
            wasCancelled.note(())
            throw error
          }
          return 1
        }
      }
    }
    try await Gate.wait { await cache.waiting == 2 }
    callers[0].cancel()
    try await Gate.wait { await cache.waiting == 1 }
    #expect(wasCancelled.entries.isEmpty)
    callers[1].cancel()
    for caller in callers { await #expect(throws: SyncError.cancelled) { try await caller.value } }
    #expect(wasCancelled.entries.count == 1)
  }

  @Test func `a file cut or changed anywhere is no value`() async throws {
    let folder = try TemporaryDirectory()
    _ = try await answer(cache(folder.path))
    let directory = try folder.open()
    let name = try #require(try files(folder.path).first)
    let whole = try directory.openFile(name).readAll(limit: 1 << 20)
    #expect(try directory.status(of: name).permissions == 0o600)
    #expect(name.hasSuffix("-" + SHA256.hash(Array("a".utf8)).hex))
    for place in whole.indices {
      var changed = whole
      changed[place] ^= 1
      for bytes in [Array(whole[..<place]), changed] {
        try directory.writeWhole(bytes, as: name, replacing: true)
        await #expect(throws: SyncFailure.nothingKnown) {
          try await self.answer(self.cache(folder.path), "a", .other, .cacheOnly)
        }
      }
    }
    try directory.writeWhole(whole, as: name, replacing: true)
    #expect(try await answer(cache(folder.path), "a", .other, .cacheOnly).value == 1)
  }

  @Test func `without room on disk, answers are kept in memory`() async throws {
    let folder = try TemporaryDirectory()
    try folder.write([], to: "file")
    for cache in [cache(folder.path("small"), bytes: 10), cache(folder.path("file"))] {
      #expect(try await answer(cache).value == 1)
      #expect(try await answer(cache, "a", .other, .cacheOnly).origin == .memory)
    }
    #expect(try files(folder.path) == ["file"])
  }

  @Test func `sessions and secrets never lie on disk`() async throws {
    let folder = try TemporaryDirectory()
    let cache = cache(folder.path)
    for dataClass in [DataClass.sessions, .privateKeys, .keyShares, .secretFiles] {
      let kind = DataKind("\(dataClass)", of: dataClass)
      #expect(try await answer(cache, "a", kind).value == 1)
      await cache.keep(2, for: "b", kind: kind)
      #expect(try await answer(cache, "b", kind, .cacheOnly).origin == .memory)
    }
    #expect(try files(folder.path).isEmpty)
  }

  @Test func `the least recently used answers go first, and other files stay`() async throws {
    let folder = try TemporaryDirectory()
    try folder.write([1], to: "theirs")
    // Each file has 64 bytes of digest, 16 of time and one digit.
    let cache = cache(folder.path, memory: 1, bytes: 3 * 81)
    for key in ["a", "b", "c"] {
      clock.advance(1)
      _ = try await answer(cache, key)
    }
    clock.advance(1)
    #expect(try await answer(cache, "a", .other, .cacheOnly).origin == .disk)
    clock.advance(1)
    _ = try await answer(cache, "d")
    #expect(try await answer(cache, "d", .other, .cacheOnly).origin == .memory)
    await #expect(throws: SyncFailure.nothingKnown) { try await self.answer(cache, "b", .other, .cacheOnly) }
    for key in ["a", "c"] { #expect(try await answer(cache, key, .other, .cacheOnly).value == 1) }
    try await cache.clear()
    #expect(try files(folder.path) == ["theirs"])
  }

  @Test func `what is removed or cleared is gone from both levels`() async throws {
    let folder = try TemporaryDirectory()
    let cache = cache(folder.path)
    for key in ["a", "b"] {
      for kind in [DataKind.other, .price] { await cache.keep(7, for: key, kind: kind) }
    }
    try await cache.remove("a", kind: .other)
    for under in [cache, self.cache(folder.path)] {
      await #expect(throws: SyncFailure.nothingKnown) {
        try await self.answer(under, "a", .other, .cacheOnly)
      }
      #expect(try await answer(under, "b", .other, .cacheOnly).value == 7)
      #expect(try await answer(under, "a", .price, .cacheOnly).value == 7)
    }
    try await cache.clear(.price)
    #expect(try files(folder.path).count == 1)
    #expect(try await answer(cache, "b", .other, .cacheOnly).value == 7)
    await #expect(throws: SyncFailure.nothingKnown) { try await self.answer(cache, "b", .price, .cacheOnly) }
    // A folder never made has nothing to clear.
    try await self.cache(folder.path("none")).clear()
  }

  @Test func `a request under way does not bring back what was cleared`() async throws {
    let folder = try TemporaryDirectory()
    let (cache, gate) = (cache(folder.path), Gate())
    let caller = Task {
      try await cache.answer(for: "a", kind: .other) {
        try await gate.wait()
        return 1
      }.value
    }
    try await Gate.wait { await cache.waiting == 1 }
    try await cache.clear()
    gate.open()
    #expect(try await caller.value == 1)
    #expect(try files(folder.path).isEmpty)
    await #expect(throws: SyncFailure.nothingKnown) { try await self.answer(cache, "a", .other, .cacheOnly) }
  }

  @Test func `each kind is recent for its own time`() async throws {
    var lifetimes = Lifetimes()
    lifetimes[.price] = .seconds(60)
    let cache = Cache(folder: nil, lifetimes: lifetimes, now: clock.now)
    for kind in [DataKind.price, .other] { _ = try await answer(cache, "a", kind) }
    clock.advance(61)
    #expect(try await answer(cache, "a", .price).origin == .network)
    #expect(try await answer(cache, "a").origin == .memory)
    clock.advance(240)
    #expect(try await answer(cache, "a").origin == .network)
    // A clock set back makes no value recent.
    clock.advance(-10)
    #expect(try await answer(cache, "a").origin == .network)
  }
}
