internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A vault with the archives that were found, for display.
struct FoundVault {
  /// One archive, with all of its copies.
  struct Archive {
    let entry: TargetEntry
    let stored: StoredArchive
    let ownership: Ownership

    /// Whether it is worth trying.
    var isUsable: Bool {
      (entry.state == .complete || entry.state == .conflictCopy) && ownership != .stranger
    }
  }

  let id: VaultID
  /// The newest first.
  let archives: [Archive]

  /// The vaults that entries are of: mine first, then by their newest archive.
  static func all(_ entries: [TargetEntry], trust: Trust) throws -> [FoundVault] {
    let found = entries.compactMap { entry in entry.archive.map { (entry, $0) } }
    let ownerships = try Ownerships(of: found.map(\.1), trust: trust)
    var vaults: [FoundVault] = []
    for (id, group) in Dictionary(grouping: found, by: { $0.1.facts.vaultID }) {
      var seen: Set<String> = []
      let archives = group.map { Archive(entry: $0.0, stored: $0.1, ownership: ownerships[$0.1]) }
        // An intact copy represents the others.
        .sorted { ($0.isUsable ? 0 : 1, $0.entry.path) < ($1.isUsable ? 0 : 1, $1.entry.path) }
        .filter { seen.insert($0.stored.statedDigest.hex).inserted }
      vaults.append(FoundVault(id: id, archives: archives.sorted(by: isNewer)))
    }
    return vaults.sorted { ($0.rank, $1.created, $0.id) < ($1.rank, $0.created, $1.id) }
  }

  private static func isNewer(_ a: Archive, _ b: Archive) -> Bool {
    (a.stored.facts.sequence, a.stored.facts.created, a.entry.path)
      > (b.stored.facts.sequence, b.stored.facts.created, b.entry.path)
  }

  private var rank: Int { archives.contains { $0.ownership == .mine } ? 0 : 1 }
  private var created: UInt64 { archives.first?.stored.facts.created ?? 0 }

  /// The place of the newest archive that is worth trying.
  var newestUsable: Int? { archives.firstIndex { $0.isUsable } }

  /// The vault in a line.
  func line(now: Int64) -> String {
    let count = Readable.count(archives.count, "archive")
    let label =
      archives.lazy.compactMap { ArchiveName.label(inName: $0.entry.name)?.text }.first ?? "no label"
    return "\(label): \(count), the newest from \(Self.date(created, now: now)) (vault \(id.hex.prefix(8)))"
  }

  /// One of its archives in a line.
  static func line(_ archive: Archive, now: Int64) -> String {
    let facts = archive.stored.facts
    var notes = [Readable.bytes(archive.entry.byteCount)]
    if archive.entry.state != .complete { notes.append(archive.entry.state.rawValue) }
    // On a new machine every archive is unknown, which says nothing of any.
    if archive.ownership != .unknown { notes.append(OwnershipLines.sentence(archive.ownership)) }
    return "number \(facts.sequence), \(date(facts.created, now: now)), \(notes.joined(separator: ", ")): "
      + archive.entry.path
  }

  static func date(_ seconds: UInt64, now: Int64) -> String {
    let age = now - Int64(clamping: seconds)
    return LocalTime.text(seconds) + (age >= 0 ? ", \(Readable.age(age)) ago" : ", in the future")
  }
}

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
