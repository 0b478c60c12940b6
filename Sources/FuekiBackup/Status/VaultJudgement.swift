internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Judges a vault's archives in a target.
struct VaultJudgement {
  let vault: VaultID
  /// This machine's activities with the vault in the target.
  let activity: [Activity]
  let found: InspectedTarget
  let trust: Trust
  let state: StateDirectory
  let limits: StatusRun.Limits
  /// Seconds since 1970.
  let now: Int64

  /// Judges the vault.
  ///
  /// - Parameters:
  ///   - name: the vault's configured name.
  ///   - lag: how far the target is behind.
  ///   - otherMachine: the newest archive of another machine.
  /// - Returns: the status, with its problems.
  func status(named name: String?, _ lag: TargetLag?, _ otherMachine: OtherMachine?) -> VaultStatus {
    let whole = (found.byVault[vault] ?? []).filter { $0.state == .complete || $0.state == .conflictCopy }
    // Without knowledge of the vault, a machine can only report the archives in the target.
    let isKnown = (try? trust.of(vault).isKnown) ?? false
    let wanted: Ownership = isKnown ? .mine : .unknown
    let archives = whole.filter { $0.archive.map { found.ownerships[$0] } == wanted }
    let newestEntry = archives.newestArchive
    let newest = newestEntry?.archive
    // Of a vault that this machine left, only the archives count: they are another machine's.
    let isLeft = (try? state.vault(vault).isLeft) ?? false
    let last = isLeft ? [:] : Dictionary(activity.map { ($0.kind, $0) }) { $1 }
    // Another machine's archive has only its header's date.
    let made = last[.create]?.time ?? newest.map { Int64(clamping: $0.facts.created) }

    var problems = faults(of: newest, among: archives, last[.create], lag)
    if newest == nil { problems.append(.noArchive(isOthersThere: isKnown && !whole.isEmpty)) }
    let isDamaged = newest.map { found.damaged.contains($0.statedDigest) } ?? false
    let ownFailure = newest.flatMap { failedVerification(of: $0.statedDigest, last[.verify]) }
    let base = newest?.facts.base?.digest
    let baseFailure = base.flatMap { found.recorded[$0]?.seconds }
    let failed = ownFailure ?? baseFailure
    let isFailed = isDamaged || failed != nil
    if let newest, isDamaged || ownFailure != nil {
      problems.append(.damaged(newest.statedDigest, found: isDamaged ? nil : ownFailure))
    } else if let newest, let base, let baseFailure {
      problems.append(.baseDamaged(base, of: newest.statedDigest, found: baseFailure))
    }
    problems += Self.age(.archive, made, limits.archive, now)
    problems +=
      isFailed && limits.verification != nil
      ? [.verificationFailed(failed)]
      : Self.age(.verification, last[.verify]?.time, limits.verification, now)
    problems += Self.age(.drill, last[.drill]?.time, limits.drill, now)
    let failedDrill = isLeft ? nil : self.failedDrill(&problems)
    let memory = newest == nil || isLeft ? nil : self.memory(&problems)
    let digest = newest?.statedDigest.hex ?? ""
    let findings = memory?.findings(in: digest) ?? []
    problems += findings.filter(\.isFaulty).map { .faulty($0) }
    return VaultStatus(
      vault: vault, name: name ?? newestEntry.flatMap { ArchiveName.label(inName: $0.name)?.text },
      newest: newest,
      made: made, last: last.mapValues(\.time), failedDrill: failedDrill,
      failedVerification: failed, gaps: memory?.missing(in: digest) ?? [],
      losses: memory?.inventory?.losses ?? [],
      declinedKeys: memory?.declinedKeys(in: digest) ?? [], findings: findings,
      placedFiles: memory?.placedFiles(in: digest), otherMachine: otherMachine, problems: problems)
  }

  private func faults(
    of newest: StoredArchive?, among archives: [TargetEntry], _ lastMade: Activity?, _ lag: TargetLag?
  ) -> [StatusProblem] {
    var problems: [StatusProblem] = []
    let isThere = archives.contains { $0.archive?.statedDigest.hex == lastMade?.archive }
    if let made = lastMade?.archive, !isThere, newest?.facts.sequence ?? 0 <= lastMade?.sequence ?? 0 {
      problems.append(.gone(archive: made))
    }
    if newest != nil, let lag { problems.append(.behind(lag)) }
    return problems
  }

  /// When a verification found an archive damaged; nil if none did, or a later one found it intact.
  private func failedVerification(of digest: Digest, _ last: Activity?) -> Int64? {
    guard let finding = found.recorded[digest] else { return nil }
    // An activity means that every byte was read, perhaps without a secret.
    if let last, last.archive == digest.hex, finding.depth != .contents, last.time >= finding.seconds {
      return nil
    }
    return finding.seconds
  }

  /// When a drill went wrong, which stays a problem until one goes well.
  private func failedDrill(_ problems: inout [StatusProblem]) -> Int64? {
    do {
      guard let drill = try state.drill(of: vault), drill.result == .differs else { return nil }
      problems.append(.drillDiffered(drill.digest))
      return Int64(clamping: drill.time)
    } catch {
      problems.append(.state(error))
      return nil
    }
  }

  private func memory(_ problems: inout [StatusProblem]) -> VaultState? {
    do {
      let memory = try state.vault(vault)
      if !memory.emptied.isEmpty { problems.append(.emptied(memory.emptied)) }
      return memory
    } catch {
      problems.append(.state(error))
      return nil
    }
  }

  /// Returns the problem of an activity that is older than its limit, or of unknown age.
  private static func age(
    _ dated: StatusProblem.Dated, _ time: Int64?, _ limit: Double?, _ now: Int64
  ) -> [StatusProblem] {
    guard let limit else { return [] }
    guard let age = StatusProblem.Age(of: time, over: limit, now) else { return [] }
    return [.age(dated, age)]
  }
}

extension StatusProblem.Age {
  /// The most seconds that the clocks of two machines may differ.
  package static let tolerance: Int64 = 600

  /// The age if it is over a limit, or unknown; nil if it is within.
  package init?(of time: Int64?, over limit: Double, _ now: Int64) {
    guard let time else {
      self = .never
      return
    }
    // A future date would otherwise count as new for years.
    guard time <= now + Self.tolerance else {
      self = .future
      return
    }
    guard Double(now - time) > limit else { return nil }
    self = .seconds(now - time)
  }
}
