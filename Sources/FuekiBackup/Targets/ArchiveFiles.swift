internal import FuekiArchive
internal import FuekiCrypto

/// The files of one target that have one archive's digest.
///
/// The digest leaves out the seals, and a damaged file states it too. So files with one digest need not be the same
/// archive: they are only if every byte is equal.
struct ArchiveFiles {
  /// The files, by their bytes: each element holds files that are equal, and differs from the others.
  let equal: [EqualFiles]
  /// The file that stands for the archive; all have its header.
  let entry: TargetEntry

  /// Whether files with the archive's digest differ, so that one of them is damaged or forged.
  var isDisputed: Bool { equal.count > 1 }
  /// All files.
  var all: [TargetEntry] { equal.flatMap { [$0.stays] + $0.others } }

  private init?(_ equal: [EqualFiles]) {
    guard let first = equal.first else { return nil }
    self.equal = equal
    entry = first.stays
  }

  /// Whether one of the files is an archive of which `isOne` holds.
  func contains(where isOne: (StoredArchive) -> Bool) -> Bool {
    equal.contains { $0.stays.archive.map(isOne) ?? false }
  }

  /// Groups files by their archive's digest, and those by their bytes.
  ///
  /// Reads files only if several have the same digest, length and trailer.
  ///
  /// - Parameters:
  ///   - entries: files of one vault's archives.
  ///   - storage: the target that contains them.
  ///   - progress: receives the file being read. An error that it throws ends the work.
  /// - Returns: the archives, each with its files.
  /// - Throws: errors from reading and from `progress`.
  static func group(
    _ entries: [TargetEntry], in storage: any TargetStorage, _ progress: (String) throws -> Void
  ) throws -> [ArchiveFiles] {
    try Dictionary(grouping: entries) { $0.archive?.statedDigest }.values.compactMap { files in
      var groups: [EqualFiles] = []
      for alike in Dictionary(grouping: files, by: Form.init).values {
        guard alike.count > 1 else {
          groups += [alike].compactMap(EqualFiles.init)
          continue
        }
        let equal = try Dictionary(grouping: alike) { entry in
          try storage.open(entry).wholeDigest { _ in try progress(entry.name) }
        }
        groups += equal.values.compactMap(EqualFiles.init)
      }
      return ArchiveFiles(groups.sorted { EqualFiles.comesFirst($0.stays, $1.stays) })
    }
  }

  /// The properties of a file that can be compared without reading it.
  private struct Form: Hashable {
    let byteCount: UInt64
    let trailer: Digest?

    init(_ entry: TargetEntry) {
      byteCount = entry.byteCount
      trailer = entry.archive?.trailerDigest
    }
  }
}

/// Files of one target that have the same bytes.
package struct EqualFiles {
  /// The file that stays as long as the archive does.
  package let stays: TargetEntry
  /// The others, by name.
  package let others: [TargetEntry]

  package init?(_ files: [TargetEntry]) {
    let ordered = files.sorted(by: Self.comesFirst)
    guard let first = ordered.first else { return nil }
    stays = first
    others = ordered.dropFirst().sorted { $0.name < $1.name }
  }

  /// A file of this user's comes before another user's, who can delete it; then the archive's own name before any other,
  /// and a file without other hard links before a file with some.
  static func comesFirst(_ a: TargetEntry, _ b: TargetEntry) -> Bool {
    (a.isOwn ? 0 : 1, a.hasOwnName ? 0 : 1, a.hasOtherNames ? 1 : 0, a.name)
      < (b.isOwn ? 0 : 1, b.hasOwnName ? 0 : 1, b.hasOtherNames ? 1 : 0, b.name)
  }

  /// Whether a file is a copy of the file that stays, by its name, and no other user can remove that one.
  ///
  /// If both or neither have the archive's own name, nothing shows which of the two was added.
  package func mayGo(_ other: TargetEntry) -> Bool {
    stays.hasOwnName && !other.hasOwnName && (stays.isOwn || stays.owner == other.owner)
  }
}

/// Which files of a target are one archive, and which contend for one place in a vault's history.
enum Conflicts {
  private struct Place: Hashable {
    let vault: VaultID
    let sequence: UInt64
  }

  /// Marks second copies and forks among a target's files.
  ///
  /// Names only say which of several equal files is the first one; what is equal and what contends is read in the
  /// headers.
  static func mark(_ entries: inout [TargetEntry]) {
    var copies: [Digest: [Int]] = [:]
    for (index, entry) in entries.enumerated() {
      guard let archive = entry.archive else { continue }
      copies[archive.statedDigest, default: []].append(index)
    }
    var archives: [Place: [Int]] = [:]
    for indices in copies.values {
      let ordered = indices.sorted { comesFirst(entries[$0], entries[$1]) }
      guard let first = ordered.first, let facts = entries[first].archive?.facts else { continue }
      archives[Place(vault: facts.vaultID, sequence: facts.sequence), default: []].append(first)
      for (place, other) in ordered.enumerated().dropFirst() {
        let alike = ordered[..<place].first { hasEqualTrailer(entries[$0], entries[other]) }
        entries[other].conflict =
          alike.map { TargetEntry.Conflict.identical(to: entries[$0].name) }
          ?? .otherBytes(than: entries[first].name)
      }
    }
    for rivals in archives.values where rivals.count > 1 {
      let ordered = rivals.sorted { comesFirst(entries[$0], entries[$1]) }
      for (place, index) in ordered.enumerated() {
        entries[index].conflict = .fork(of: entries[ordered[place == 0 ? 1 : 0]].name)
      }
    }
    for index in entries.indices where entries[index].state == .complete {
      switch entries[index].origin {
      case .conflictCopy: entries[index].state = .conflictCopy
      case .numberedCopy where entries[index].conflict != nil: entries[index].state = .conflictCopy
      case .plain, .numberedCopy, .partial, .placeholder: continue
      }
    }
  }

  /// Equal digests do not mean equal seals.
  ///
  /// The bytes between are compared only when the whole file is read.
  private static func hasEqualTrailer(_ a: TargetEntry, _ b: TargetEntry) -> Bool {
    a.byteCount == b.byteCount && a.archive?.trailerDigest == b.archive?.trailerDigest
  }

  private static func comesFirst(_ a: TargetEntry, _ b: TargetEntry) -> Bool {
    (rank(a), a.hasOwnName ? 0 : 1, a.isOwn ? 0 : 1, a.name)
      < (rank(b), b.hasOwnName ? 0 : 1, b.isOwn ? 0 : 1, b.name)
  }

  /// A damaged file is never the original.
  private static func rank(_ entry: TargetEntry) -> Int {
    guard entry.state == .complete else { return 3 }
    return switch entry.origin {
    case .plain: 0
    case .numberedCopy: 1
    case .conflictCopy, .partial, .placeholder: 2
    }
  }
}
