internal import FuekiBackup

/// Targets of a list that cannot be read for one reason, such as a bucket that is gone.
struct UnreadTargets {
  /// The target, or the folder whose targets they are.
  let place: String
  /// Their places.
  let targets: Set<String>
  /// The number of vaults in the list that have them.
  let vaults: Int
  let reason: String

  var isSeveral: Bool { targets.count > 1 }

  /// The target with the number of its vaults, or the targets below a folder.
  var name: String {
    let targets = isSeveral ? "all \(targets.count) targets in \(place)" : place
    return vaults > 1 ? "\(targets), with \(vaults) vaults of the list," : targets
  }

  /// Groups targets that cannot be read.
  ///
  /// Those in one folder are a group if no target of the list in that folder can be read, and the reason is the same.
  ///
  /// - Parameters:
  ///   - unread: the places that cannot be read, each with the reason in a sentence.
  ///   - targets: the target of each vault in the list.
  /// - Returns: the groups, by place.
  static func groups(_ unread: [String: String], targets: [String]) -> [UnreadTargets] {
    let counts = targets.reduce(into: [:]) { counts, target in counts[target, default: 0] += 1 }
    let byFolder = Dictionary(grouping: counts.keys) { Target(holding: $0).path }
    var (groups, grouped): ([UnreadTargets], Set<String>) = ([], [])
    for (place, reason) in unread.sorted(by: { $0.key < $1.key }) where !grouped.contains(place) {
      let folder = Target(holding: place).path
      let siblings = Set(byFolder[folder] ?? []).union([place])
      let isSame = siblings.allSatisfy { other in
        unread[other]?.replacing(other, with: "") == reason.replacing(place, with: "")
      }
      let members = isSame ? siblings : [place]
      grouped.formUnion(members)
      groups.append(
        UnreadTargets(
          place: members.count > 1 ? folder : place, targets: members,
          vaults: members.reduce(0) { $0 + (counts[$1] ?? 0) },
          reason: members.count > 1 ? reason.replacing(place, with: folder) : reason))
    }
    return groups
  }
}
