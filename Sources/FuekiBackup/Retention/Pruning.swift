internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The result of a run of `prune`.
public struct PruneReport: Sendable {
  /// The removed files, in the order of their removal.
  public internal(set) var removed: [PrunePlan.Removed] = []
  /// Files to remove that have changed since the plan was made.
  public internal(set) var changed: [String] = []

  /// The room that was made, in bytes.
  public var freedBytes: UInt64 { removed.reduce(0) { $0 + $1.entry.byteCountWithParity } }
}

extension PrunePlan {
  /// Removes the plan's files, oldest first.
  ///
  /// Each file is inspected again before its removal. A copy is removed only after a comparison of every byte with the
  /// remaining file. An interrupted run has removed the oldest files and changed nothing else.
  ///
  /// - Parameters:
  ///   - state: the lock that excludes this machine's other runs.
  ///   - progress: receives the file being removed. An error that it throws ends the run.
  /// - Returns: the removed files, and those that had changed and were kept.
  /// - Throws: ``TargetError/noTarget(path:)``, and errors from removing and from `progress`.
  public func run(state: LockedState, progress: (String) throws -> Void) throws -> PruneReport {
    let storage = try target.storage
    let going = removed
    var report = PruneReport()
    try storage.remove(going.map(\.entry)) { index in
      let entry = going[index].entry
      try progress(entry.name)
      guard try Self.isStill(going[index], in: storage, progress) else {
        report.changed.append(entry.name)
        return false
      }
      return true
    } removed: {
      report.removed.append(going[$0])
    }
    return report
  }

  private static func isStill(
    _ going: Removed, in storage: any TargetStorage, _ progress: (String) throws -> Void
  ) throws -> Bool {
    guard let file = still(going.entry, in: storage) else { return false }
    guard let original = going.original else { return true }
    guard let stays = still(original, in: storage) else { return false }
    do {
      return try stays.hasSameBytes(as: file) { _ in try progress(going.entry.name) }
    } catch ArchiveError.unreadable(let error) where !error.isInterrupted {
      return false
    }
  }

  /// Opens a file if it is unchanged since the plan was made.
  private static func still(_ entry: TargetEntry, in storage: any TargetStorage) -> ArchiveFile? {
    guard let file = try? storage.open(entry),
      let now = try? StoredArchive(reading: file, search: .nearTheEnd),
      let before = entry.archive, now.statedDigest == before.statedDigest,
      now.trailerDigest == before.trailerDigest, now.byteCount == entry.byteCount
    else { return nil }
    return file
  }
}
