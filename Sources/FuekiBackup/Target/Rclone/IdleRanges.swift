internal import FuekiSystem

/// The rclone that read the archives' structures, and may read the archives, too.
///
/// It has its connections, and knows the files, so that it asks the remote less than another one.
final class IdleRanges: Sendable {
  private let kept = Locked<RcloneRanges?>(nil)

  /// Keeps one, in place of an earlier one.
  ///
  /// - Parameter ranges: without files' ranges in flight.
  func keep(_ ranges: RcloneRanges) { kept.withLock { $0 = ranges } }

  /// Ends the kept one.
  func end() { kept.withLock { $0 = nil } }

  /// Returns the kept one, which is no longer kept, if it serves a folder.
  func take(for folder: RclonePath) -> RcloneRanges? {
    kept.withLock { kept in
      guard let ranges = kept, ranges.folder == folder || folder.relative(to: ranges.folder) != nil else {
        return nil
      }
      kept = nil
      return ranges
    }
  }
}
