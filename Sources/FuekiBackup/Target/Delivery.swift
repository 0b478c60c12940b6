/// An archive on its way into a target, removed unless it is published.
protocol Delivery {
  /// The guarantees that the target lacks, as far as checked.
  var warnings: [TargetWarning] { get }

  /// Assigns the archive's final name, without replacing anything.
  ///
  /// - Returns: its new path.
  func publish(as name: String) throws -> String
}
