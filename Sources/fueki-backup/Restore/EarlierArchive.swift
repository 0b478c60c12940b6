internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// An earlier archive that has things which a restored one lacks.
struct EarlierArchive {
  let link: VaultState.Link
  /// The missing things that the owner has not accepted as lost.
  let absences: [Absence]
  /// The copies of the archive in the folders that were searched.
  let paths: [String]
  /// The folders that were searched.
  let folders: [String]

  private static let shownFolders = 5
  private static let shownThings = 5

  /// Finds the archives that have what another lacks, by their digests.
  ///
  /// - Parameters:
  ///   - absences: the restored archive's list of things in earlier ones.
  ///   - path: where the restored archive is.
  ///   - targets: the folders besides that one's own.
  /// - Returns: the archives, the newest first.
  static func all(_ absences: [Absence], beside path: String, _ targets: [Target]) -> [EarlierArchive] {
    let groups = Dictionary(grouping: absences.filter { !$0.isAccepted }, by: \.last)
    guard !groups.isEmpty else { return [] }
    let own = Target(holding: path)
    let folders = [own] + targets.filter { $0.place != own.place }
    let entries = folders.flatMap { (try? $0.entries()) ?? [] }
    return groups.sorted { $0.key.sequence > $1.key.sequence }.map { link, absences in
      let copies = entries.filter { $0.archive?.statedDigest.hex == link.digest }
      return EarlierArchive(
        link: link, absences: absences, paths: copies.map(\.path), folders: folders.map(\.path))
    }
  }

  /// The things, as `--item` takes them.
  var items: [String] { absences.filter { $0.holding.kind != .more }.map(\.holding.item) }

  /// The number of things that the restored archive only counts, for people; nil if there are none.
  var uncounted: String? { absences.first { $0.holding.kind == .more }?.holding.name.text }

  /// Whether a file is among the things.
  var hasFiles: Bool { absences.contains { $0.holding.kind == .file } }

  /// The archive, for people.
  var name: String { "number \(link.sequence) (\(link.digest.prefix(8)))" }

  /// The things, for people.
  var things: String {
    let names = absences.prefix(Self.shownThings).map(\.title)
    let more = absences.count - names.count
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// The folders that were searched, for people.
  var searched: String {
    let more = folders.count - Self.shownFolders
    return folders.prefix(Self.shownFolders).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// Whether the archive keeps a part of its history in another file, which is in none of the folders.
  func lacksBase(_ stored: StoredArchive, at path: String) -> Bool {
    guard Holding.sections(ofItems: items).contains(where: { $0.scope == .history }),
      let base = stored.facts.base
    else { return false }
    let others = folders.map { Target(path: $0) }
    return !BaseFinder(beside: path, targets: others).isAtHand(base)
  }
}
