public import FuekiArchive

/// Why an archive is not found by what a person calls it.
public enum FindingError: Error, Equatable, Sendable {
  /// No archive of this name is in the targets.
  case noArchive(name: String)
  /// The targets have no archive at all.
  case noArchives(targets: [String])
  /// A folder was named where one archive was meant.
  case isFolder(path: String)
  /// More than one archive begins with this short id.
  case ambiguous(name: String, candidates: [String])
  /// Several vaults' archives lie in the target, and none was chosen.
  case severalVaults(count: Int)
  /// What may be a newer archive than the newest that is mine cannot be read as one.
  case unusableNewest(path: String, verdict: Verdict, usable: String)
}
