internal import FuekiArchive
internal import FuekiBackup

extension TargetLag {
  /// The archives that the target lacks, since when, and the next step.
  var sentence: String {
    switch self {
    case .behind(let newest, let since, let holder):
      "this target is behind\(since.map { " since \(Times.text($0))" } ?? ""): it lacks number "
        + "\(newest.sequence) (\(newest.digest.prefix(12)))\(holder.map { ", which \($0) has" } ?? ""); "
        + (holder == nil ? "make a new archive with create" : "run create, or copy")
    case .lacksBase(let newest, let base, let holder):
      "this target cannot restore number \(newest.sequence) (\(newest.digest.prefix(12))) alone: it lacks number "
        + "\(base), which it needs\(holder.map { " and \($0) has" } ?? ""); "
        + (holder == nil ? "make a full archive with create --full" : "run copy")
    }
  }
}
