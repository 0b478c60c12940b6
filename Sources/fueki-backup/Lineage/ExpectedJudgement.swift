internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// The targets that a run read, or tried to read.
struct ReadTargets {
  /// The targets that the run was asked to read.
  let roots: [Target]
  /// The places that it found there.
  let places: Set<String>
  /// The reasons for which places cannot be read, in a sentence each.
  var unreachable: [String: String] = [:]

  /// Whether a target was read, or is below a target that the run was asked to read.
  fileprivate func contain(_ target: String) -> Bool {
    places.contains(target) || roots.contains { Self.contains($0.place, target) }
  }

  fileprivate static func contains(_ place: String, _ target: String) -> Bool {
    target == place || target.hasPrefix(place.hasSuffix("/") || place.hasSuffix(":") ? place : place + "/")
  }
}

/// The judgements on the vaults of a list.
struct ExpectedJudgement {
  let verdicts: [ExpectedVaults.Verdict]
  /// The number of vaults of the list whose targets were not read.
  let elsewhere: Int

  /// Whether each vault is as the list expects it.
  var isWell: Bool { verdicts.allSatisfy(\.problems.isEmpty) }

  /// A sentence about the vaults that were not judged; nil if there are none.
  var warning: String? {
    guard elsewhere > 0 else { return nil }
    return
      "\(Readable.count(elsewhere, "vault")) of the list: not judged, because their targets were not read"
  }
}

extension ExpectedVaults {
  /// Judges the vaults of the list whose target is among those that were read, or below one of them.
  ///
  /// - Parameters:
  ///   - archives: the archives of all targets.
  ///   - targets: the targets that were read.
  ///   - drills: when the last drill of each vault went well, in seconds since 1970.
  ///   - now: seconds since 1970.
  /// - Returns: the judgements.
  func judge(
    _ archives: [SightedArchive], in targets: ReadTargets, drills: [VaultID: Int64] = [:], now: Int64
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
      archives.filter { !elsewhere.contains($0.vault) }, unreachable: unreachable, drills: drills, now: now)
    return ExpectedJudgement(verdicts: verdicts, elsewhere: elsewhere.count)
  }

  /// Judges the vaults by the contents of targets.
  ///
  /// - Parameters:
  ///   - roots: the targets that the run was asked to read.
  ///   - listings: the contents of the targets that it read.
  ///   - damaged: the archives that were read whole and found damaged, by the place of their target.
  ///   - activity: this machine's activities.
  ///   - now: seconds since 1970.
  /// - Returns: the judgements.
  func judge(
    _ roots: [Target], _ listings: [TargetListing], damaged: [String: Set<Digest>], _ activity: [Activity],
    now: Int64
  ) -> ExpectedJudgement {
    var targets = ReadTargets(roots: roots, places: Set(listings.map(\.target.place)))
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
    return judge(sighted, in: targets, drills: drills, now: now)
  }
}

extension TargetListing {
  /// The public facts of its archives.
  var sighted: [SightedArchive] { readable.compactMap { SightedArchive($0, in: target) } }
}
