// A remote's directory with this machine's name, which the machine's first backup makes.

extension Target {
  /// Checks whether the target exists, without reading any archive.
  ///
  /// A directory that this machine has used is not made again, so that its loss is noticed. The directory above it has to
  /// exist, because the path may be mistyped. It cannot be the remote itself, whose directories may be buckets.
  ///
  /// - Parameter activities: this machine's past activities.
  /// - Returns: false if the next backup makes it.
  /// - Throws: ``TargetError/noTarget(path:)`` if neither is true, and the reason that the target cannot be reached.
  package func isThere(_ activities: [Activity]) throws -> Bool {
    do {
      try check()
      return true
    } catch TargetError.noTarget {
      let above = Target(holding: path)
      guard isNamedAfterMachine, !above.path.hasSuffix(":"), !above.path.hasSuffix(":/"),
        !isUsed(activities)
      else {
        throw TargetError.noTarget(path: path)
      }
      try above.check()
      return false
    }
  }

  /// Makes the directory if it has this machine's name, and this machine has never used it.
  ///
  /// - Parameter activities: this machine's past activities.
  /// - Throws: as ``isThere(_:)`` does, and the remote's reason for not making it.
  func makeForMachine(_ activities: [Activity]) throws {
    guard isNamedAfterMachine, !isUsed(activities), try !isThere(activities) else { return }
    _ = try RcloneCommand("mkdir", on: RclonePath(path)).output()
  }

  private func isUsed(_ activities: [Activity]) -> Bool {
    let place = place
    return activities.contains { $0.target == place }
  }
}
