public import FuekiSystem

/// An original file that is in another place than before.
public struct FileMove: Hashable, Sendable {
  /// Its name in the earlier archive.
  public let from: ExactText
  /// Its present name.
  public let to: ExactText
  /// Whether the last archive already had the present file: one of two copies is gone.
  public let isCopy: Bool
}

/// Finds files of earlier archives in other places.
///
/// A file with the same bytes is the same file. So is a new file with the same key, which its program saved after it was
/// renamed; an older file with that key may be another wallet of one seed, with fewer keys. Another machine's file is none
/// of these.
struct FileMoves {
  private let before: HoldingIndex
  private var byContent: [String: [Holding]] = [:]
  private var byKey: [String: [Holding]] = [:]

  /// - Parameters:
  ///   - present: the files of the new archive.
  ///   - before: the things of the last one.
  init(to present: [Holding], since before: HoldingIndex) {
    self.before = before
    let files = present.filter { $0.kind == .file }
    let new = files.filter { before[$0] == nil }
    for file in new + files.filter({ before[$0] != nil }) {
      if let content = file.content { byContent[content, default: []].append(file) }
    }
    for file in new { if let key = file.fileKey { byKey[key, default: []].append(file) } }
  }

  /// Where a file that is not in its place any more is now; nil if it is gone.
  subscript(absent: Holding) -> FileMove? {
    let isElsewhere = { (file: Holding) in file.key != absent.key && file.maker == absent.maker }
    let same = absent.content.flatMap { byContent[$0] }?.first(where: isElsewhere)
    let saved = absent.fileKey.flatMap { byKey[$0] }?.first { absent.hasKey(of: $0) && isElsewhere($0) }
    return (same ?? saved).map {
      FileMove(from: absent.name, to: $0.name, isCopy: before[$0].map(absent.hasContent) ?? false)
    }
  }
}

/// The things of an archive, by what identifies them.
///
/// A file in the same place is the same file, also if another version of this program takes it for another program's.
struct HoldingIndex {
  private let byKey: [Holding.Key: Holding]
  private let byPlace: [ExactText: Holding]

  init(_ holdings: [Holding]) {
    byKey = Dictionary(holdings.map { ($0.key, $0) }) { first, _ in first }
    byPlace = Dictionary(holdings.compactMap { holding in holding.place.map { ($0, holding) } }) { first, _ in
      first
    }
  }

  /// The thing of this archive that an archive's thing is; nil if there is none.
  subscript(holding: Holding) -> Holding? { byKey[holding.key] ?? holding.place.flatMap { byPlace[$0] } }
}
