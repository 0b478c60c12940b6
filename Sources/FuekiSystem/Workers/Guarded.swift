/// A value that only the holder of a lock uses, although other threads could not share it.
///
/// It is for a ``Locked`` value with a reference in it. Unchecked, because the reference has to stay in the closure that
/// has the lock: the compiler cannot tell whether one is returned.
package struct Guarded<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}
