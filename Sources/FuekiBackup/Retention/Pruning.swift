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
  /// Each file is looked at once more before its name goes. A copy goes only after every byte of it was compared with the
  /// file that stays. A run that is cut off has removed the oldest, and nothing else is different.
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

  /// Opens a file if it is still what the plan saw.
  private static func still(_ entry: TargetEntry, in storage: any TargetStorage) -> ArchiveFile? {
    guard let file = try? storage.open(entry),
      let now = try? StoredArchive(reading: file, search: .nearTheEnd),
      let before = entry.archive, now.statedDigest == before.statedDigest,
      now.trailerDigest == before.trailerDigest, now.byteCount == entry.byteCount
    else { return nil }
    return file
  }
}
