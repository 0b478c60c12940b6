internal import FuekiSystem
internal import FuekiWallet
internal import GRDB
internal import SwiftProtobuf

/// Tells observers that something was written to a store.
///
/// SQLite's hooks see neither the writes of other processes nor those of a table without row numbers, so that this says
/// when, and not what: an observer asks its question again.
final class StoreChanges: Sendable {
  private struct State {
    var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    var next = 0
    var watch: Task<Void, Never>?
  }

  /// How often an observed store is asked whether another process wrote to it.
  private static let interval = Duration.milliseconds(500)

  private let state = Locked(State())

  /// Tells all observers.
  func post() {
    for observer in state.withLock({ $0.observers.values.map(\.self) }) { observer.yield() }
  }

  /// Returns the changes from now on; several that an observer has not yet heard of are one.
  ///
  /// While there is an observer, the number of other processes' commits is read from time to time.
  func stream(of pool: DatabasePool) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state in
        let number = state.next
        state.next += 1
        state.observers[number] = continuation
        if state.watch == nil { state.watch = Task { await self.watch(pool) } }
        return number
      }
      continuation.onTermination = { _ in self.remove(number) }
    }
  }

  /// Ends all streams, as the store is closed.
  func finish() {
    let observers = state.withLock { state in
      state.watch?.cancel()
      return state.observers.values.map(\.self)
    }
    for observer in observers { observer.finish() }
  }

  private func remove(_ number: Int) {
    state.withLock { state in
      state.observers[number] = nil
      guard state.observers.isEmpty else { return }
      state.watch?.cancel()
      state.watch = nil
    }
  }

  /// The version that a connection sees changes with the commits of others, and all of this process are the writer's own.
  private func watch(_ pool: DatabasePool) async {
    var last: Int64?
    while !Task.isCancelled {
      let version = try? await pool.writeWithoutTransaction { database in
        try Int64.fetchOne(database, sql: "PRAGMA data_version")
      }
      if let known = last, let version, version != known { post() }
      last = version ?? last
      try? await Task.sleep(for: Self.interval)
    }
  }
}

extension WalletStore {
  /// The changes of the store from now on, by this process and any other: ask again what you want to know.
  ///
  /// Changes that were not yet heard of are one, so that the last is never missed. It ends when the store is closed.
  public var changes: AsyncStream<Void> { feed.stream(of: pool) }
}

extension Repository {
  /// The records of a query now, and again after each change of the store that alters them.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - limit: the most records, from 0.
  /// - Returns: the answers. They end when the store is closed, or with ``StoreError``.
  public func observe(_ query: Query<Record> = .all, limit: Int = .max) -> AsyncThrowingStream<
    [Record], any Error
  > {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        let changes = store.changes
        do {
          var last = try fetch(query, limit: limit)
          continuation.yield(last)
          for await _ in changes {
            let answer = try fetch(query, limit: limit)
            guard !answer.elementsEqual(last, by: { $0.isEqualTo(message: $1) }) else { continue }
            last = answer
            continuation.yield(answer)
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
