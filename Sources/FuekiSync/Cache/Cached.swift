/// The origin of an answer.
public enum AnswerOrigin: String, Sendable {
  /// A server or another source, just now.
  case network
  /// This process's memory.
  case memory
  /// The cache's folder.
  case disk
  /// The wallet's store.
  case store
}

/// An answer and its origin.
public struct Cached<Value: Sendable>: Sendable {
  /// The answer.
  public let value: Value
  /// Its origin.
  public let origin: AnswerOrigin
  /// Its age in seconds; 0 from the network.
  public let age: Double
  /// Why there is no newer one, if it was requested.
  public internal(set) var failure: (any Error)?
}

/// The name of an answer.
struct CacheKey: Hashable, Sendable {
  let kind: DataKind
  let text: String
}

/// The level below memory: where values of a type are that this process has not fetched.
struct SecondLevel<Value: Sendable>: Sendable {
  let origin: AnswerOrigin
  /// Returns the value and its time, in seconds since 1970.
  let read: @Sendable () async -> (value: Value, time: Double)?
  /// Keeps a value that was just fetched, if nothing else does.
  var write: @Sendable (Value, Double) async -> Void = { _, _ in }
}
