internal import FuekiBackup
internal import FuekiSystem

/// The files that a restore put into this machine's home for sources of the kind `file`.
///
/// No known program has them, so discovery does not find them.
enum RestoredSources {
  /// Returns the sources that are here and that no configured one covers.
  static func missing(_ coverage: SourceCoverage) -> [AddedSource] {
    let states = ((try? Places.state().vaults()) ?? [:]).values.compactMap { try? $0.get() }
    return Set(states.flatMap { $0.fileSources ?? [] }).sorted().filter { path in
      let whole = HomePath.expanded(path)
      return isThere(whole) && !coverage.covers(file: whole)
    }.map { AddedSource(kind: "file", path: $0) }
  }

  private static func isThere(_ path: String) -> Bool {
    (try? Directory.open(path)) != nil || (try? File.openRegular(path)) != nil
  }
}
