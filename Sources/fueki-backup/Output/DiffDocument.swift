internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// `diff --json`.
struct DiffDocument: Encodable {
  struct Side: Encodable {
    let path: String
    let id: String
    let sequence: UInt64
  }

  struct Changes: Encodable {
    let added: [String]
    let removed: [String]
    let changed: [String]
  }

  let schema = "fueki.diff/1"
  let older: Side
  let newer: Side?
  let live: Bool
  let equal: Bool
  let sections: [String: Changes]
  let notCompared: [String]

  init(_ difference: BundleDifference, paths: [String], _ archives: [OpenArchive]) {
    let sides = zip(paths, archives).map { path, archive in
      Side(path: path, id: archive.digest.hex, sequence: archive.facts.sequence)
    }
    older = sides[0]
    newer = sides.count > 1 ? sides[1] : nil
    live = sides.count == 1
    equal = difference.isEmpty
    sections = Self.changes(difference)
    notCompared = difference.notCompared
  }

  /// Every section that was compared, by name.
  static func changes(_ difference: BundleDifference) -> [String: Changes] {
    Dictionary(
      uniqueKeysWithValues: difference.sections.map { section in
        (
          section.section.name,
          Changes(added: section.added, removed: section.removed, changed: section.changed)
        )
      })
  }
}
