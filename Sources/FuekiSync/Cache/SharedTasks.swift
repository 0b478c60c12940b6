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
