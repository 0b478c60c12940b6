internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// What `prune` would do to one target: every file of it is either kept, with the reason, to be removed, or passed
/// over.
public struct PrunePlan: Sendable {
  /// An archive that stays.
  public struct Kept: Sendable {
    /// The archive's file.
    public let entry: TargetEntry
    /// Why it stays; at least one.
    public let reasons: [KeepReason]
    /// It claims to be made later than now.
    public let isFutureDated: Bool
  }

  /// A file that goes.
  public struct Removed: Sendable {
    /// The file.
    public let entry: TargetEntry
    /// The name of the copy of the same archive that stays, or nil where the archive goes.
    public let copyOf: String?
  }

  /// The archives of one vault.
  public struct Vault: Sendable {
    /// The vault's id.
    public let id: [UInt8]
    /// What stays, newest first.
    public internal(set) var kept: [Kept] = []
    /// What goes, oldest first.
    public internal(set) var removed: [Removed] = []
    /// The newest archive every byte of which is as it was written, and that was signed by one of the keys where some
    /// were named; nil where none is.
    public internal(set) var verified: TargetEntry?
    /// Whether this machine's clock is so far behind that no archive was given up.
    public internal(set) var isClockBehind = false
    /// Whether a signature was demanded of the newest that verifies.
    public internal(set) var demandsSigner = false
  }

  /// What is known of a vault besides what lies in a target: who can write to that can put archives there too.
  public struct Knowledge: Sendable {
    /// Ed25519 public keys, of which one has to have signed the newest archive that verifies; nil demands nobody's.
    public var trusted: [[UInt8]]?
    /// The newest archive that this machine made or adopted.
    public var newest: VaultState.Link?

    /// Nothing, unless it is given.
    public init(trusted: [[UInt8]]? = nil, newest: VaultState.Link? = nil) {
      self.trusted = trusted
      self.newest = newest
    }
  }

  /// The target.
  public let target: Target
  /// The vaults whose archives lie in it.
  public let vaults: [Vault]
  /// Files that are passed over: no whole archives, whatever they are called.
  public let passedOver: [TargetEntry]

  /// Whether every file could be looked at; one that could not might be an archive.
  public var isWholePicture: Bool { passedOver.allSatisfy { $0.state != .unreadable } }

  /// What goes, oldest first.
  public var removed: [Removed] { vaults.flatMap(\.removed) }

  /// Looks at a target and decides.
  ///
  /// Of each vault the newest archive that verifies is found by reading every byte of it, and of archives with
  /// several files, one file that is whole.
  ///
  /// - Parameters:
  ///   - target: the folder.
  ///   - rules: what to keep.
  ///   - now: seconds since 1970.
  ///   - vault: the only vault that is decided for; nil for all.
  ///   - known: what is known of a vault, by its id.
  ///   - progress: is told the file that is read; what it throws ends the work.
  /// - Throws: ``BackupError/noTarget(path:)``, and what reading and `progress` throw.
  public init(
    of target: Target, rules: RetentionRules, now: Int64, vault: [UInt8]? = nil,
    known: ([UInt8]) throws -> Knowledge = { _ in Knowledge() }, progress: (String) throws -> Void
  ) throws {
    self.target = target
    let entries = try target.entries()
    let isWhole = { (entry: TargetEntry) in
      (entry.state == .complete || entry.state == .conflictCopy) && entry.archive != nil
    }
    passedOver = entries.filter { !isWhole($0) }
    let byVault = Dictionary(grouping: entries.filter(isWhole)) { $0.archive?.facts.vaultID ?? [] }
    let meant = byVault.filter { vault == nil || $0.key == vault }
    vaults = try meant.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { id, entries in
      try VaultPruning(id: id, entries: entries, rules: rules, known: known(id), now: now).plan(progress)
    }
  }
}

extension TargetEntry {
  /// What the rules see of it.
  public var dated: DatedArchive {
    DatedArchive(sequence: archive?.facts.sequence ?? 0, created: archive?.facts.created ?? 0)
  }

  /// Whether every byte is as it was written and, where some are named, one of the keys signed it.
  func verifies(trusting trusted: [[UInt8]]?, _ progress: (String) throws -> Void) throws -> Bool {
    var verification = Verification(trusted: trusted)
    verification.symbolicLinks = .refuse
    let result = try verification.run(on: path, known: { _ in nil }) { _ in try progress(name) }
    // An archive that cannot be read now may be the newest good one: nothing is decided without it.
    if case .unreadable(let error) = result.error { throw error }
    return result.verdict == .intact && result.digest == archive?.statedDigest
  }
}
