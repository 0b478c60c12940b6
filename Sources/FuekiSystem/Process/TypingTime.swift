internal import Synchronization

/// The time spent waiting for the user at the terminal.
enum TypingTime {
  private static let milliseconds = Atomic<UInt64>(0)

  /// The total time in seconds of all prompts in this run.
  static var seconds: Double { Double(milliseconds.load(ordering: .relaxed)) / 1000 }

  static func add(_ seconds: Double) {
    let count = UInt64(exactly: (max(0, seconds) * 1000).rounded()) ?? 0
    milliseconds.wrappingAdd(count, ordering: .relaxed)
  }
}

extension SystemClock {
  /// ``monotonicSeconds`` without the time in which the program waited for the user to type.
  ///
  /// Used for a run's duration in messages. The waiting time is subtracted only after a prompt is answered,
  /// so two readings during one prompt differ by the wait.
  public static var workingSeconds: Double { monotonicSeconds - TypingTime.seconds }
}
