internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem

/// Whether structures from earlier listings are used for archives on remotes.
struct CacheOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Read the beginning and the end of each archive on a remote, even if it has not changed.",
      visibility: .more))
  var noCache = false

  /// Returns the use of a target's listing.
  ///
  /// Without a home there is no cache.
  func use(of target: Target) -> ListingUse {
    guard target.kind == .rclone, !noCache, let base = try? Places.base("XDG_CACHE_HOME", below: ".cache")
    else { return .structures }
    let folder = base + "/fueki-backup/structures"
    return .remembered(RememberedStructures(in: folder, of: target, now: SystemClock.now / 1_000_000))
  }
}
