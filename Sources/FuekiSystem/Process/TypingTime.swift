internal import Synchronization

/// How long the program has waited for a person at the terminal.
enum TypingTime {
  private static let milliseconds = Atomic<UInt64>(0)

  /// Seconds, from all questions of this run.
  static var seconds: Double { Double(milliseconds.load(ordering: .relaxed)) / 1000 }

  static func add(_ seconds: Double) {
    let count = UInt64(exactly: (max(0, seconds) * 1000).rounded()) ?? 0
    milliseconds.wrappingAdd(count, ordering: .relaxed)
  }
}

extension SystemClock {
  /// ``monotonicSeconds`` without the time in which the program waited for a person to type.
  ///
  /// What a person is told of a run's length is the program's own time. It stands still only once a question is
  /// answered: two readings during one question differ by the wait.
  public static var workingSeconds: Double { monotonicSeconds - TypingTime.seconds }
}
