internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// The reasons that the next backup could not write, found without writing.
enum WriteObstacles {
  /// So many bytes this machine's state needs at least.
  private static let stateByteCount: UInt64 = 64 << 10

  /// Adds them to the reports on targets: a backup tonight would fail, or leave a target behind.
  ///
  /// - Parameters:
  ///   - reports: the reports, one for each target.
  ///   - targets: the targets.
  ///   - state: this machine's state; an obstacle there is reported with the first target.
  static func add(to reports: inout [TargetStatus], _ targets: [Target], _ state: StateDirectory) {
    for (index, target) in targets.enumerated() where index < reports.count && target.kind != .rclone {
      let newest = reports[index].entries.filter { $0.archive != nil }.max {
        ($0.archive?.facts.sequence ?? 0) < ($1.archive?.facts.sequence ?? 0)
      }
      if let problem = problem(in: target.path, needing: newest?.byteCount ?? 0) {
        reports[index].problems.append(.stated(problem))
      }
    }
    if let problem = problem(inState: state.path), !reports.isEmpty {
      reports[0].problems.append(.stated(problem))
    }
  }

  /// The obstacle in the folder of this machine's state; nil if there is none, or no folder yet.
  static func problem(inState path: String) -> String? { problem(in: path, needing: stateByteCount) }

  private static func problem(in path: String, needing byteCount: UInt64) -> String? {
    // A folder that is not there was reported already, or is made.
    guard let folder = try? Directory.open(path) else { return nil }
    do {
      try folder.checkWritable()
      let free = try folder.freeBytes()
      guard free < byteCount else { return nil }
      return "\(path): \(Readable.bytes(free)) free, not enough for another backup"
    } catch {
      return Failure(describing: error).message
    }
  }
}
