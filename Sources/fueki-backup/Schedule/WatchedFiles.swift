internal import FuekiCollectors
internal import FuekiSystem

/// Files of which a change must not wait for the night: an old static channel backup misses channels, and an old
/// slashing record allows signing twice.
enum WatchedFiles {
  private static let names = ["channel*.backup", "emergency.recover", "*slashing*.json"]

  /// The files of the configured sources, in order.
  ///
  /// - Throws: ``CommandError/usage(_:)`` if there are none.
  static func all(_ configuration: Configuration) throws -> [String] {
    let listed = try configuration.vault().from ?? []
    let sources = configuration.chosenSources.flatMap { source in
      source.paths().map { "\(source.kind):\($0)" }
    }
    var unreadable: Set<String> = []
    let found = Set(
      (listed + sources).compactMap(SourceName.path).flatMap { path in
        (names + names.map { "*/\($0)" }).flatMap { pattern in
          PlacePattern(pattern).paths(below: path, unreadable: &unreadable)
        } + (names.contains { NamePattern($0).matches(PathParts(path).name) } ? [path] : [])
      })
    guard !found.isEmpty else {
      throw CommandError.usage(
        "no source is a channel backup or a slashing record: fueki-backup discover --add names those that are here"
      )
    }
    return found.sorted()
  }
}
