internal import FuekiSystem
package import FuekiArchive
package import FuekiCrypto
package import FuekiWallet

/// The status of targets, and of the vaults in them: what is missing, damaged, behind or too old.
///
/// It receives values and returns a value. Nothing in a target is changed.
package struct StatusRun {
  /// How long ago activities may have been, in seconds; nil without limit.
  package struct Limits: Sendable {
    package var archive: Double?
    package var verification: Double?
    package var drill: Double?

    package init(archive: Double? = nil, verification: Double? = nil, drill: Double? = nil) {
      self.archive = archive
      self.verification = verification
      self.drill = drill
    }
  }

  private let state: StateDirectory
  private let trust: Trust
  private let now: Int64
  package var limits = Limits()
  /// The only vault to report on; nil for all.
  package var vault: VaultID?
  /// Returns the vaults that are backed up to a target.
  ///
  /// Such a vault is missing if the target has no archive of it.
  package var configured: (Target) -> [VaultID] = { _ in [] }
  /// Returns a vault's name for display.
  package var name: (VaultID) -> String? = { _ in nil }
  /// Finds the newest archive that another machine made of a vault.
  package var otherMachine: (VaultID, [TargetEntry], Ownerships) -> OtherMachine? = { _, _, _ in nil }

  /// - Parameters:
  ///   - state: this machine's state.
  ///   - trust: determines the user's archives.
  ///   - now: seconds since 1970.
  package init(_ state: StateDirectory, trust: Trust, now: Int64) {
    self.state = state
    self.trust = trust
    self.now = now
  }

  /// Judges the targets.
  ///
  /// - Parameter listings: the contents of the targets.
  /// - Returns: the status of each target, in their order.
  /// - Throws: errors from reading the activities, and `Interrupted`.
  package func run(on listings: [TargetListing]) throws -> [TargetStatus] {
    let record = Result { try state.damagedArchives() }
    let damaged = (try? record.get()) ?? DamagedArchives()
    let inspected = listings.map { listing in
      Result { try InspectedTarget(listing, trust, state, damaged, now) }
    }
    // It includes the verifications of this run.
    let activity = try state.activity()
    let byVault = Self.byVault(activity)
    let byPlace = Dictionary(grouping: activity, by: \.target)
    let lags = LagSearch(listings, trust, byVault, state)
    var reports = zip(listings, inspected).map { listing, inspected in
      report(listing.target, inspected, byPlace[listing.target.place] ?? [], lags)
    }
    // An interrupted read would be mistaken for a target with a problem.
    guard !Interruption.wasRequested else { throw Interrupted() }
    if case .failure(let error) = record, !reports.isEmpty { reports[0].problems.append(.state(error)) }
    return reports
  }

  private func report(
    _ target: Target, _ inspected: Result<InspectedTarget, any Error>, _ activity: [Activity],
    _ lags: LagSearch
  ) -> TargetStatus {
    let found: InspectedTarget
    do {
      found = try inspected.get()
    } catch {
      let made = activity.filter { $0.kind == .create }
      return TargetStatus(path: target.path, vaults: [], problems: [.unreachable(made: made, error)])
    }
    let own = Self.byVault(activity)
    let all = Set(found.byVault.keys).union(own.keys)
    let wanted = vault.map { all.intersection([$0]) } ?? all
    let vaults = wanted.isEmpty ? [] : wanted.union(configured(target)).sorted()
    let unread = found.entries.filter { $0.readError != nil }
    var problems: [StatusProblem] = unread.isEmpty ? [] : [.unread(unread)]
    let broken = found.broken(trust)
    if !broken.isEmpty { problems.append(.broken(broken)) }
    if vaults.isEmpty, problems.isEmpty {
      problems.append(.empty(hasFoldersWithArchives: target.hasFoldersWithArchives))
    }
    let statuses = vaults.map { vault in
      VaultJudgement(
        vault: vault, activity: own[vault] ?? [], found: found, trust: trust, state: state, limits: limits,
        now: now
      ).status(
        named: name(vault), lags.lag(of: vault, in: target),
        otherMachine(vault, found.byVault[vault] ?? [], found.ownerships))
    }
    let damaged = statuses.flatMap(\.problems).compactMap(\.damagedArchive)
    return TargetStatus(
      path: target.path, vaults: statuses, problems: problems, entries: found.entries,
      own: found.own(trust), damaged: found.recordedOfOthers(trust).union(damaged))
  }

  private static func byVault(_ activity: [Activity]) -> [VaultID: [Activity]] {
    var all: [VaultID: [Activity]] = [:]
    for activity in activity {
      if let id = VaultID(hex: activity.vault) { all[id, default: []].append(activity) }
    }
    return all
  }
}

/// The status of a target.
package struct TargetStatus: Sendable {
  package let path: String
  package let vaults: [VaultStatus]
  package var problems: [StatusProblem]
  /// Its contents.
  package var entries: [TargetEntry] = []
  /// The archives that a nightly backup must open: the user's, and those of a vault that this machine does not know.
  package var own: [StoredArchive] = []
  /// The archives that were found damaged inside.
  package var damaged: Set<Digest> = []

  package var isWell: Bool { problems.isEmpty && vaults.allSatisfy(\.problems.isEmpty) }
  package var isComplete: Bool { vaults.allSatisfy { !$0.lacksAnything && $0.otherMachine == nil } }

  /// Returns the target with further problems of its vaults, which the caller has found.
  package func adding(_ problems: (VaultStatus) -> [StatusProblem]) -> TargetStatus {
    TargetStatus(
      path: path,
      vaults: vaults.map { vault in
        var vault = vault
        vault.problems += problems(vault)
        return vault
      }, problems: self.problems, entries: entries, own: own, damaged: damaged)
  }

  /// Returns the target with some of its vaults.
  package func keepingVaults(_ isKept: (VaultStatus) -> Bool) -> TargetStatus {
    TargetStatus(
      path: path, vaults: vaults.filter(isKept), problems: problems, entries: entries, own: own,
      damaged: damaged)
  }
}

/// The status of a vault in a target.
package struct VaultStatus: Sendable {
  package let vault: VaultID
  /// Its name for display; nil if unknown.
  package let name: String?
  package let newest: StoredArchive?
  /// When the newest archive was made or found current, in seconds since 1970: by this machine's clock, else by its
  /// header, which may say any time.
  package let made: Int64?
  package let last: [Activity.Kind: Int64]
  /// When the last drill was, where it went wrong.
  package let failedDrill: Int64?
  /// When the newest archive was last verified, where that found it damaged.
  package let failedVerification: Int64?
  /// The newest archive's gaps in comparison with its sources, as its run reported them.
  package let gaps: [String]
  /// The things of worth that earlier archives have, and the newest has not.
  package let losses: [Absence]
  /// The unencrypted keys that stay out of the newest archive by a decision.
  package let declinedKeys: [DeclinedKeys]
  /// The findings on the backup of each wallet.
  package let findings: [WalletFinding]
  /// The number of other programs' files that can be restored to a home; nil if unknown.
  package let placedFiles: UInt64?
  /// The newest archive that another machine made since this machine's last one; nil if there is none.
  package let otherMachine: OtherMachine?
  package var problems: [StatusProblem]

  /// Whether the newest archive lacks anything that its sources held or an earlier archive has.
  package var lacksAnything: Bool { !gaps.isEmpty || !losses.isEmpty }
}

/// Something wrong with a target, or with a vault's backup in it.
package enum StatusProblem: Sendable {
  /// An activity whose age has a limit.
  package enum Dated: Equatable, Sendable {
    case archive
    case verification
    case drill
  }

  /// The age of an activity that has a limit.
  package enum Age: Equatable, Sendable {
    case never
    /// The clock has gone back, or another machine's is wrong, so that the age is unknown.
    case future
    case seconds(Int64)
  }

  /// The target cannot be read.
  ///
  /// This machine's archives in it are listed by their last activity.
  case unreachable(made: [Activity], any Error)
  /// Files with archives' names cannot be read.
  case unread([TargetEntry])
  /// Files that claim to be the newest archives of their vaults are damaged or incomplete.
  case broken([TargetEntry])
  /// The target never had an archive.
  ///
  /// Its folders may have some.
  case empty(hasFoldersWithArchives: Bool)
  /// The archive that this machine last made there is gone; its digest in hex.
  case gone(archive: String)
  /// The target lacks an archive that it should have.
  case behind(TargetLag)
  /// The vault has no whole archive there.
  case noArchive(isOthersThere: Bool)
  /// The newest archive is damaged: by this run, or by an earlier verification, whose time is in seconds since 1970.
  case damaged(Digest, found: Int64?)
  /// The newest archive's base is damaged, as an earlier verification found, whose time is in seconds since 1970.
  case baseDamaged(Digest, of: Digest, found: Int64)
  /// An activity is older than its limit.
  case age(Dated, Age)
  /// The age of the last verification has a limit, and that verification found the newest archive damaged.
  ///
  /// Its time is in seconds since 1970, if this machine knows it.
  case verificationFailed(Int64?)
  /// The last drill found a difference.
  case drillDiffered(Digest)
  /// The last run made no archive, because these parts are empty.
  case emptied([EmptiedPart])
  /// The backup of a wallet is faulty.
  case faulty(WalletFinding)
  /// This machine's state cannot be read.
  case state(any Error)
  /// The command found something that the library does not look at, and states it.
  case stated(String)

  /// The finding that a report lists with its wallet.
  package var isOfWallet: Bool { if case .faulty = self { true } else { false } }

  /// The newest archive, if it or its base was read and found damaged.
  package var damagedArchive: Digest? {
    switch self {
    case .damaged(let digest, _), .baseDamaged(_, of: let digest, _): digest
    default: nil
    }
  }
}
