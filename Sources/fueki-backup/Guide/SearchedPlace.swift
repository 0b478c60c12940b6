internal import FuekiBackup
internal import FuekiSystem

/// A place that was looked at for archives.
struct SearchedPlace {
  let target: Target
  /// Its contents, or the reason that they are unreadable.
  let found: Result<[TargetEntry], any Error>
  /// Whether the user or the configuration chose it.
  let isNamed: Bool

  private static let mostFolders = 200

  /// Searches given places and plugged-in disks: each itself, and the folders directly in it.
  ///
  /// For a disk, only folders with archives are listed.
  static func all(named: [Target], disks: [String]) -> [SearchedPlace] {
    let places = named.flatMap { target -> [SearchedPlace] in
      let itself = SearchedPlace(target, isNamed: true)
      guard target.kind != .rclone, itself.entries.isEmpty else { return [itself] }
      let below = folders(in: target.path).filter(holdsArchives).map {
        SearchedPlace(Target(path: $0, kind: target.kind), isNamed: true)
      }
      return below.isEmpty ? [itself] : below
    }
    let known = Set(places.map(\.target.place))
    let others = disks.flatMap { [$0] + folders(in: $0) }.filter { folder in
      !known.contains(Target(path: folder).place) && holdsArchives(folder)
    }
    return places + others.map { SearchedPlace(Target(path: $0), isNamed: false) }
  }

  private init(_ target: Target, isNamed: Bool) {
    self.target = target
    self.isNamed = isNamed
    found = Result { try target.entries() }
  }

  /// Its contents; empty if unreadable.
  var entries: [TargetEntry] { (try? found.get()) ?? [] }

  /// Its archives, or the place itself, if they belong to another user.
  var denied: DeniedArchives? {
    switch found {
    case .success(let entries): DeniedArchives(of: entries, in: target)
    case .failure(FindingError.denied(let denied)): denied
    case .failure: nil
    }
  }

  private static func folders(in folder: String) -> [String] {
    let names = ((try? Directory.open(folder).list()) ?? []).filter { $0.kind == .directory }
      .compactMap(\.text).filter { !$0.hasPrefix(".") }
    return names.sorted().prefix(mostFolders).map { folder == "/" ? "/\($0)" : "\(folder)/\($0)" }
  }

  private static func holdsArchives(_ folder: String) -> Bool {
    ((try? Directory.open(folder).list()) ?? []).contains { entry in
      entry.kind == .file && (entry.text?.contains(".fueki") ?? false)
    }
  }
}
