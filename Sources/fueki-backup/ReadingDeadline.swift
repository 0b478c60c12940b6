internal import FuekiSystem

/// How long a file system may take to answer before the run is given up.
enum ReadingDeadline {
  private static let seconds = 120.0

  /// Starts the deadline: from now on, a call that takes too long ends the run.
  ///
  /// The limit is `FUEKI_DEADLINE` seconds, or two minutes, for a call that reads, and ten times that for one that
  /// writes.
  static func start(isJSON: Bool) {
    StallWatch.start(limit: limit) { path, seconds in giveUp(path, seconds, isJSON: isJSON) }
  }

  /// How many seconds a call that reads may take.
  static var limit: Double {
    Environment.get("FUEKI_DEADLINE").flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? seconds
  }

  /// Ends the run because a path does not answer.
  static func giveUp(_ path: String, _ seconds: Double, isJSON: Bool) -> Never {
    let failure = Failure(
      .failed, "\(path) has not answered for \(Int(seconds)) seconds",
      meaning: "the run was given up. No half-written file was published",
      hint: "look at the mount or the network, or allow more time with FUEKI_DEADLINE=SECONDS")
    failure.print(isJSON: isJSON)
    ImmediateExit.exit(status: failure.status.rawValue)
  }
}
