public import FuekiArchive
public import FuekiCrypto
internal import FuekiSystem

/// The plan of `prune` for one target.
///
/// Every file is kept, with the reason, removed, or skipped.
public struct PrunePlan: Sendable {
  /// An archive that stays.
  public struct Kept: Sendable {
    /// The archive's file.
    public let entry: TargetEntry
    /// Why it stays; at least one.
    public let reasons: [KeepReason]
    /// It claims to be made later than now.
    public let isFutureDated: Bool

    /// The things for which it stays, since no later archive has them.
    public var onlyHere: [Absence] {
      reasons.flatMap { reason -> [Absence] in
        guard case .onlyOneWith(let things) = reason else { return [] }
        return things
      }
    }
  }

  /// A file that goes.
  public struct Removed: Sendable {
    /// The file.
    public let entry: TargetEntry
    /// The file with the same bytes that stays; nil if the archive goes.
    let original: TargetEntry?

    /// The name of the file with the same bytes that stays; nil if the archive goes.
    public var copyOf: String? { original?.name }
  }

  /// The archives of one vault.
  public struct Vault: Sendable {
    /// The vault's id.
    public let id: VaultID
    /// The archives to keep, newest first.
    public internal(set) var kept: [Kept] = []
    /// The archives to remove, oldest first.
    public internal(set) var removed: [Removed] = []
    /// The newest archive every byte of which is as it was written, its seals included; nil if none is known to be.
    public internal(set) var verified: TargetEntry?
    /// The newest archive that verifies without a secret, if nothing vouches for its seals and it is newer than
    /// ``verified``.
    public internal(set) var unproven: TargetEntry?
    /// A file of each archive of which several files have the same digest and other bytes: all of them stay.
    public internal(set) var disputed: [TargetEntry] = []
    /// Whether this machine's clock is so far behind that no archive was given up.
    public internal(set) var isClockBehind = false

    /// Whether archives stay that the rules would not keep, until the user decides.
    public var isUndecided: Bool { isClockBehind || verified == nil || !disputed.isEmpty }
  }

  /// An archive that the rules neither count nor remove.
  public struct Foreign: Sendable {
    /// The archive's file.
    public let entry: TargetEntry
    /// Either a stranger's or unknown.
    public let ownership: Ownership
  }

  /// The target.
  public let target: Target
  /// The vaults whose archives it contains.
  public let vaults: [Vault]
  /// Archives of strangers or unknown owners: anyone with write access to the target can add them.
  public let foreign: [Foreign]
  /// Files that are passed over: no whole archives, whatever they are called.
  public let passedOver: [TargetEntry]

  /// Whether every file could be inspected.
  ///
  /// One that could not might be an archive.
  var isWholePicture: Bool { passedOver.allSatisfy { $0.state != .unreadable } }

  /// Whether there are archives, but none is proved to be the user's.
  public var isNothingMine: Bool { vaults.isEmpty && foreign.contains { $0.ownership == .unknown } }

  /// The archives to remove, oldest first.
  public var removed: [Removed] { vaults.flatMap(\.removed) }

  /// The things for which an archive stays, since no later one has them.
  public var onlyHere: [Absence] {
    vaults.flatMap(\.kept).flatMap(\.onlyHere)
  }

  /// The signers of the machines for which an archive stays that no rule would keep.
  public var otherMachines: Set<Ed25519.PublicKey> {
    Set(
      vaults.flatMap(\.kept).flatMap(\.reasons).flatMap { reason -> [Ed25519.PublicKey] in
        switch reason {
        case .newestOf(let signer): [signer]
        case .onlyOneWith(let things):
          things.filter(\.isAccepted).compactMap { $0.holding.maker.flatMap(Ed25519.PublicKey.init(hex:)) }
        default: []
        }
      })
  }

  /// Inspects a target and makes the plan.
  ///
  /// Only the user's archives are counted and removed. Each vault's newest valid archive is found by reading every byte
  /// of it. So is one intact file of each archive that has several.
  ///
  /// - Parameters:
  ///   - target: the folder.
  ///   - rules: the archives to keep.
  ///   - now: seconds since 1970.
  ///   - vault: the only vault to prune; nil for all.
  ///   - trust: determines the user's archives. Without proof of ownership, none is removed.
  ///   - progress: receives the file being read. An error that it throws ends the work.
  /// - Throws: ``TargetError/noTarget(path:)``, and errors from reading and from `progress`.
  public init(
    of target: Target, rules: RetentionRules, now: Int64, vault: VaultID? = nil, trust: Trust,
    progress: (String) throws -> Void
  ) throws {
    self.target = target
    let entries = try target.entries()
    let isWhole = { (entry: TargetEntry) in
      (entry.state == .complete || entry.state == .conflictCopy) && entry.archive != nil
    }
    passedOver = entries.filter { !isWhole($0) && $0.state != .removed }
    let whole = entries.filter { isWhole($0) && (vault == nil || $0.archive?.facts.vaultID == vault) }
    let ownerships = try Ownerships(of: whole.compactMap(\.archive), trust: trust)
    let judged = whole.map { ($0, $0.archive.map { ownerships[$0] } ?? .unknown) }
    foreign = judged.filter { $0.1 != .mine }.map { Foreign(entry: $0.0, ownership: $0.1) }
    var byVault: [VaultID: [TargetEntry]] = [:]
    for (entry, ownership) in judged where ownership == .mine {
      if let id = entry.archive?.facts.vaultID { byVault[id, default: []].append(entry) }
    }
    vaults = try byVault.sorted { $0.key < $1.key }.map { id, entries in
      let archives = try ArchiveFiles.group(entries, in: target.storage, progress)
      var pruning = VaultPruning(
        id: id, archives: archives, rules: rules, known: try trust.known(of: id),
        onlyIn: try trust.onlyIn(id), witness: try trust.sealWitness(of: id),
        signers: try trust.of(id).signers, tookOver: try trust.tookOver(of: id), now: now)
      return try pruning.plan(progress)
    }
  }
}

extension TargetEntry {
  /// The facts that the rules use.
  public var dated: DatedArchive {
    DatedArchive(sequence: archive?.facts.sequence ?? 0, created: archive?.facts.created ?? 0)
  }

  /// Whether every byte is as it was written.
  func verifies(_ progress: (String) throws -> Void) throws -> Bool {
    var verification = Verification()
    verification.symbolicLinks = .refuse
    let result = try verification.run(on: path, known: { _ in nil }) { _ in try progress(name) }
    // An archive that cannot be read now may be the newest good one: nothing is decided without it.
    if case .unreadable(let error) = result.error { throw error }
    return result.verdict == .intact && result.digest == archive?.statedDigest
  }
}
