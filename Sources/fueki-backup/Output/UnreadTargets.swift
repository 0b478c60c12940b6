internal import FuekiBackup
internal import FuekiSystem

/// Targets of a list that cannot be read for one reason, such as a bucket that is gone.
struct UnreadTargets {
  /// The target, or the folder whose targets they are.
  let place: String
  /// Their places.
  let targets: Set<ExactText>
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
  static func groups(_ unread: [ExactText: String], targets: [ExactText]) -> [UnreadTargets] {
    let counts = targets.reduce(into: [:]) { counts, target in counts[target, default: 0] += 1 }
    let byFolder = Dictionary(grouping: counts.keys) { Target(holding: $0.text).place }
    var (groups, grouped): ([UnreadTargets], Set<ExactText>) = ([], [])
    for (place, reason) in unread.sorted(by: { $0.key < $1.key }) where !grouped.contains(place) {
      let folder = Target(holding: place.text)
      let siblings = Set(byFolder[folder.place] ?? []).union([place])
      let isSame = siblings.allSatisfy { other in
        unread[other]?.replacing(other.text, with: "") == reason.replacing(place.text, with: "")
      }
      let members = isSame ? siblings : [place]
      grouped.formUnion(members)
      groups.append(
        UnreadTargets(
          place: members.count > 1 ? folder.path : place.text, targets: members,
          vaults: members.reduce(0) { $0 + (counts[$1] ?? 0) },
          reason: members.count > 1 ? reason.replacing(place.text, with: folder.path) : reason))
    }
    return groups
  }
}
