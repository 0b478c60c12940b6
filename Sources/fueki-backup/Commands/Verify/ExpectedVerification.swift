internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The list of expected vaults in a run of `verify`.
struct ExpectedVerification {
  var vaults: VerifiedVaults
  /// The paths that the run was asked to verify.
  private let roots: [String]
  /// Whether the list has the targets, so that one of them that cannot be read is a problem of its vaults.
  let hasTargets: Bool
  /// The result of checking the list's signature.
  let signature: ListSignature?
  /// Whether the run searches the folders below the paths.
  private let isRecursive: Bool
  /// The reasons for which places cannot be read, in a sentence each.
  private(set) var unreachable: [ExactText: String] = [:]

  /// - Parameters:
  ///   - list: the list.
  ///   - signature: the result of checking its signature.
  ///   - roots: the paths that the run was asked to verify.
  ///   - hasTargets: whether they are the targets of the list, and the user gave none.
  ///   - isRecursive: whether the run searches the folders below them.
  ///   - shard: the part of the vaults that the run verifies; nil for all.
  init(
    _ list: ExpectedVaults, _ signature: ListSignature?, roots: [String], hasTargets: Bool, isRecursive: Bool,
    shard: ShardArgument?
  ) {
    self.signature = signature
    let vaults = list.vaults.filter { shard?.contains($0.id) ?? true }.map { vault in
      var vault = vault
      // Only a machine that makes drills can judge them, and verification is no drill.
      vault.maxDrillAge = nil
      return vault
    }
    self.vaults = VerifiedVaults(ExpectedVaults(vaults))
    (self.roots, self.hasTargets, self.isRecursive) = (roots, hasTargets, isRecursive)
  }

  /// Returns the results of a closure for each path, once for each place.
  ///
  /// A target of the list that cannot be read has none, and ``judge(_:in:now:)`` reports it.
  ///
  /// - Throws: the errors of the closure for other paths, and `Interrupted`.
  mutating func readable(_ paths: [String], _ read: (String) throws -> [String]) throws -> [String] {
    guard hasTargets else { return try paths.flatMap(read) }
    var places: Set<ExactText> = []
    return try paths.flatMap { path -> [String] in
      do {
        return try read(path).filter { places.insert(Target(path: $0).place).inserted }
      } catch  where Interrupted.isCause(of: error) {
        throw error
      } catch {
        unreachable[Target(path: path).place] = Failure(describing: error).message
        return []
      }
    }
  }

  /// A sentence about each target that cannot be read.
  var warnings: [String] {
    UnreadTargets.groups(unreachable, targets: vaults.list.vaults.compactMap(\.target)).map { group in
      "\(group.name) \(group.isSeveral ? "were" : "was") not verified: \(group.reason)"
    }
  }

  /// Judges the vaults by the results of the run.
  func judge(_ results: [VerificationResult], in folders: [String], now: Int64) -> ExpectedJudgement {
    let targets = ReadTargets(
      roots: roots.map { Target(path: $0) }, isRecursive: isRecursive,
      places: Set(folders.map { Target(path: $0).place }), unreachable: unreachable)
    var judgement = vaults.list.judge(
      vaults.judged(by: results), in: targets, unread: vaults.unread, now: now)
    // The list has the signers of archives that the user named.
    judgement.hasOtherUse = folders.isEmpty && results.contains { vaults.expected(of: $0) != nil }
    return judgement
  }
}

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
