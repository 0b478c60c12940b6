package import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

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
