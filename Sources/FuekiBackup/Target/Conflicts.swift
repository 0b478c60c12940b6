internal import FuekiArchive
internal import FuekiCrypto

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
