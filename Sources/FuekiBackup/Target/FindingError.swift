public import FuekiArchive

/// An error in finding an archive by the user's name for it.
public enum FindingError: Error, Equatable, Sendable {
  /// No archive of this name is in the targets.
  case noArchive(name: String)
  /// The targets have no archive at all.
  case noArchives(targets: [String])
  /// The archives, or their folder, belong to another user, and this one may not read them.
  case denied(DeniedArchives)
  /// A folder was given instead of an archive.
  case isFolder(path: String)
  /// More than one archive begins with this short id.
  case ambiguous(name: String, candidates: [String])
  /// The target contains several vaults' archives, and none was chosen.
  case severalVaults(count: Int)
  /// An unreadable file may be a newer archive than the user's newest.
  case unusableNewest(path: String, verdict: Verdict, usable: String)
}
