internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The targets that a run read, or tried to read.
struct ReadTargets {
  /// The targets that the run was asked to read.
  let roots: [Target]
  /// Whether it searched the folders below them.
  let isRecursive: Bool
  /// The places that it found there.
  let places: Set<ExactText>
  /// The reasons for which places cannot be read, in a sentence each.
  var unreachable: [ExactText: String] = [:]

  /// Whether a target was read, or the run was asked to read it.
  fileprivate func contain(_ target: ExactText) -> Bool {
    places.contains(target)
      || roots.contains { isRecursive ? Self.contains($0.place, target) : $0.place == target }
  }

  fileprivate static func contains(_ place: ExactText, _ target: ExactText) -> Bool {
    // A remote's own folder ends with a colon.
    let start = ["/", ":"].contains { place.text.hasSuffix($0) } ? place.text : "\(place)/"
    return target == place || target.hasPrefix(start)
  }
}

/// The judgements on the vaults of a list.
struct ExpectedJudgement {
  let verdicts: [ExpectedVaults.Verdict]
  /// The number of vaults of the list whose targets were not read.
  let elsewhere: Int

  /// Whether each judged vault is as the list expects it, and the list is not in vain.
  var isWell: Bool { verdicts.allSatisfy(\.problems.isEmpty) && unjudged == 0 }

  /// The number of vaults in the list if none of them was judged, which is no success; otherwise 0.
  var unjudged: Int {
    hasOtherUse || verdicts.contains { $0.expected != nil } ? 0 : elsewhere
  }

  /// Whether the list served for something else, such as the signers of archives that the user chose.
  var hasOtherUse = false

  /// A sentence about the vaults that were not judged; nil if there are none.
  var warning: String? {
    guard elsewhere > 0 else { return nil }
    return
      "\(Readable.count(elsewhere, "vault")) of the list: not judged, because their targets were not read"
  }
}

extension ExpectedVaults {
  /// Judges the vaults of the list whose target is among those that were read.
  ///
  /// - Parameters:
  ///   - archives: the archives of all targets.
  ///   - targets: the targets that were read.
  ///   - unread: files in them that cannot be read, of unknown vaults.
  ///   - drills: when the last drill of each vault went well, in seconds since 1970.
  ///   - now: seconds since 1970.
  /// - Returns: the judgements.
  func judge(
    _ archives: [SightedArchive], in targets: ReadTargets, unread: [UnreadFile],
    drills: [VaultID: Int64] = [:], now: Int64
  ) -> ExpectedJudgement {
    let here = vaults.filter { vault in vault.target.map(targets.contain) ?? true }
    var unreachable = targets.unreachable
    for (place, reason) in targets.unreachable {
      for target in here.compactMap(\.target) where ReadTargets.contains(place, target) {
        unreachable[target] = reason
      }
    }
    // A vault of the list is not foreign where it is not judged.
    let elsewhere = Set(vaults.map(\.id)).subtracting(here.map(\.id))
    let verdicts = ExpectedVaults(here).judge(
      archives.filter { !elsewhere.contains($0.vault) }, unreachable: unreachable, unread: unread,
      drills: drills, now: now)
    return ExpectedJudgement(verdicts: verdicts, elsewhere: elsewhere.count)
  }

  /// Judges the vaults by the contents of targets.
  ///
  /// - Parameters:
  ///   - roots: the targets that the run was asked to read.
  ///   - isRecursive: whether it searched the folders below them.
  ///   - listings: the contents of the targets that it read.
  ///   - damaged: the archives that were read whole and found damaged, by the place of their target.
  ///   - activity: this machine's activities.
  ///   - now: seconds since 1970.
  /// - Returns: the judgements.
  func judge(
    _ roots: [Target], isRecursive: Bool, _ listings: [TargetListing], damaged: [ExactText: Set<Digest>],
    _ activity: [Activity], now: Int64
  ) -> ExpectedJudgement {
    var targets = ReadTargets(
      roots: roots, isRecursive: isRecursive, places: Set(listings.map(\.target.place)))
    for listing in listings {
      guard case .failure(let error) = listing.entries else { continue }
      targets.unreachable[listing.target.place] = Failure(describing: error).message
    }
    let drills = Dictionary(
      activity.filter { $0.kind == .drill }.compactMap { drill in
        VaultID(hex: drill.vault).map { ($0, drill.time) }
      },
      uniquingKeysWith: max)
    let sighted = listings.flatMap(\.sighted).map { archive in
      var archive = archive
      if damaged[archive.target]?.contains(archive.digest) ?? false { archive.state = .damaged }
      return archive
    }
    let unread = listings.flatMap { listing in
      listing.readable.compactMap { UnreadFile($0, in: listing.target) }
    }
    return judge(sighted, in: targets, unread: unread, drills: drills, now: now)
  }
}

extension TargetListing {
  /// The public facts of its archives.
  var sighted: [SightedArchive] { readable.compactMap { SightedArchive($0, in: target) } }
}
