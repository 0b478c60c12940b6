internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// What a run of `prune` did.
public struct PruneReport: Sendable {
  /// The files that are gone, in the order in which they went.
  public internal(set) var removed: [PrunePlan.Removed] = []
  /// Files that were to go, and are no more what they were when it was decided.
  public internal(set) var changed: [String] = []

  /// The room that was made, in bytes.
  public var freedBytes: UInt64 { removed.reduce(0) { $0 + $1.entry.byteCountWithParity } }
}

extension PrunePlan {
  /// Removes what the plan says, oldest first.
  ///
  /// Each file is looked at once more before its name goes. A run that is cut off has removed the oldest, and
  /// nothing else is different.
  ///
  /// - Parameters:
  ///   - state: the lock that keeps this machine's other runs away.
  ///   - progress: is told the file that goes; what it throws ends the run.
  /// - Returns: what went, and what had changed and was left alone.
  /// - Throws: ``TargetError/noTarget(path:)``, and what removing and `progress` throw.
  public func run(state: LockedState, progress: (String) throws -> Void) throws -> PruneReport {
    let storage = try target.storage
    let going = removed
    var report = PruneReport()
    try storage.remove(going.map(\.entry)) { index in
      let entry = going[index].entry
      try progress(entry.name)
      guard Self.isStill(entry, in: storage) else {
        report.changed.append(entry.name)
        return false
      }
      return true
    } removed: {
      report.removed.append(going[$0])
    }
    return report
  }

  private static func isStill(_ entry: TargetEntry, in storage: any TargetStorage) -> Bool {
    guard let file = try? storage.open(entry) else { return false }
    let now = try? StoredArchive(reading: file, search: .nearTheEnd)
    return now?.statedDigest == entry.archive?.statedDigest && now?.byteCount == entry.byteCount
  }
}
