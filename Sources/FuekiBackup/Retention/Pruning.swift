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
  public var freedBytes: UInt64 { removed.reduce(0) { $0 + $1.entry.byteCount } }
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
  /// - Throws: ``BackupError/noTarget(path:)``, and what removing and `progress` throw.
  public func run(state: LockedState, progress: (String) throws -> Void) throws -> PruneReport {
    let directory = try target.open()
    var report = PruneReport()
    defer { _ = try? directory.sync() }
    for removed in removed {
      try progress(removed.entry.name)
      guard Self.isStill(removed.entry, in: directory) else {
        report.changed.append(removed.entry.name)
        continue
      }
      try directory.remove(removed.entry.nameBytes)
      report.removed.append(removed)
    }
    return report
  }

  private static func isStill(_ entry: TargetEntry, in directory: borrowing Directory) -> Bool {
    guard let file = try? directory.openFile(entry.nameBytes) else { return false }
    let now = try? StoredArchive(reading: ArchiveFile(file))
    return now?.statedDigest == entry.archive?.statedDigest && now?.byteCount == entry.byteCount
  }
}
