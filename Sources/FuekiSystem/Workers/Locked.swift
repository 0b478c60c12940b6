/// A value that one thread at a time uses, also in a forked process.
///
/// The standard library's `Mutex` caches the id of its thread, and `fork` copies the cache. In the copy, the kernel
/// refuses that id as soon as another thread waits for the mutex, and the process crashes. POSIX mutexes do not depend
/// on it.
///
/// Safe, and unchecked, because the value stays at one address and is reachable under the lock alone.
@safe public final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let lock = ThreadLock()
  private let value: UnsafeMutablePointer<Value>

  /// Protects a value, which nothing else may refer to.
  public init(_ value: consuming sending Value) {
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Passes the value to `body` as soon as no other thread has it.
  ///
  /// The body must not use the same lock.
  public func withLock<Answer: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Answer
  ) throws(Failure) -> sending Answer {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&value.pointee)
  }
}

/// A value that only the holder of a lock uses, although other threads could not share it.
///
/// It is for a ``Locked`` value with a reference in it. Unchecked, because the reference has to stay in the closure that
/// has the lock: the compiler cannot tell whether one is returned.
package struct Guarded<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}
