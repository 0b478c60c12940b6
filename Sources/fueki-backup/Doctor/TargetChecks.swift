internal import FuekiBackup

/// Whether archives can be put in a target so that they last.
enum TargetChecks {
  /// Seconds that a file system's clock may differ by before files from two machines seem out of order.
  private static let clockTolerance: Int64 = 60
  private static let roomForAFirst: UInt64 = 256 << 20

  /// Tries a target, and returns the result, with advice for a problem.
  static func check(_ target: Target) -> Check {
    let name = "target \(target.path)"
    do {
      return judge(name, try target.tryOut(), isRemote: target.kind == .rclone)
    } catch TargetError.noTarget {
      let remedy =
        target.kind == .rclone
        ? Failure.remoteHint(target.path) : "plug the disk in, or mount the folder"
      return .failed(name, "it is not there", remedy: remedy)
    } catch {
      return .failed(name, error)
    }
  }

  private static func judge(_ name: String, _ trial: TargetTrial, isRemote: Bool) -> Check {
    let free = trial.freeBytes ?? .max
    let room =
      trial.freeBytes.map { "\(Readable.bytes($0)) free" } ?? "it does not say how much space is free"
    let needed = trial.archives > 0 ? trial.longestArchive : roomForAFirst
    guard free >= needed else {
      return .failed(name, "\(room), not enough for another archive", remedy: "make room, or choose another")
    }
    guard trial.keepsNames else {
      return .failed(
        name, "a rename replaces what is there",
        remedy: "choose another file system: here archives could be lost")
    }
    switch trial.retention {
    case .kept: return .ok(name, "keeps what is there; \(room); \(Readable.count(trial.archives, "archive"))")
    case .removable:
      return .warning(
        name, "is append-only in the configuration, but files can be removed there",
        remedy:
          "anyone who takes over this machine can remove the archives: use an account that may only add; "
          + "see TARGETS THAT ONLY ADD in fueki-backup-config(5)")
    case .unknown:
      return .warning(
        name, "is append-only in the configuration. It is not known whether the remote enforces it",
        remedy: "look for object lock, or an account that may only add, in the remote's own settings: "
          + "see TARGETS THAT ONLY ADD in fueki-backup-config(5)")
    case nil: break
    }
    var faults: [String] = []
    if !trial.keepsPermissions { faults.append("others may read its files") }
    if !trial.syncsNames { faults.append("a power cut can lose a new archive's name") }
    if free / 3 < needed { faults.append("\(room), for at most two more archives") }
    if abs(trial.clockDifference) > clockTolerance {
      let direction = trial.clockDifference > 0 ? "ahead" : "behind"
      faults.append("its clock is \(abs(trial.clockDifference)) s \(direction)")
    }
    guard faults.isEmpty else {
      return .warning(
        name, faults.joined(separator: "; "), remedy: "archives are sealed and verified anyway")
    }
    let done = isRemote ? "writes, reads back, keeps names" : "writes, syncs, reads back, keeps names"
    return .ok(name, "\(done); \(room); \(Readable.count(trial.archives, "archive"))")
  }
}
