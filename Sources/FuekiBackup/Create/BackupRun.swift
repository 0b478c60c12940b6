public import FuekiArchive
public import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A backup, from its sources to the published archive.
///
/// It receives values, asks through ``BackupAnswers``, reports through ``BackupEvent``, and returns a value.
public struct BackupRun {
  /// Where the archive goes.
  public let targets: [Target]
  /// The request to collect.
  public let request: CollectionRequest
  /// The manifest's facts, apart from the records.
  public let facts: ManifestFacts
  /// An archive is made only where what would be in it differs from the last one.
  public var onlyOnChange = false
  /// The losses that the owner accepts.
  public var acceptance = LossAcceptance()
  /// The sources, to tell contents that are gone from those that this run leaves out.
  public var sources = RunSources()
  /// The options of the archive and its targets.
  ///
  /// An adopting run continues from archives unknown to this machine, once their signer is accepted.
  public var options = PublicationOptions()
  /// Whether the user chose the signing key: its earlier archives are then the user's own.
  public var trustsOwnKey = false
  /// The encodings that key shares' secrets can be read in.
  public var encodings: [ShareEncoding] = []
  let answers: BackupAnswers
  /// The time for trying the passphrase on archives of unknown owners.
  let trials = TrialBudget()
  let report: (BackupEvent) throws -> Void

  /// - Parameters:
  ///   - targets: at least one.
  ///   - request: the request to collect.
  ///   - facts: the manifest's facts, apart from the records.
  ///   - answers: answers from the user or the options.
  ///   - report: receives each event. An error that it throws ends the run.
  public init(
    to targets: [Target], _ request: CollectionRequest, _ facts: ManifestFacts, answers: BackupAnswers,
    report: @escaping (BackupEvent) throws -> Void
  ) {
    self.targets = targets
    self.request = request
    self.facts = facts
    self.answers = answers
    self.report = report
  }

  /// Checks that at least one target is available: an unplugged disk does not stop the others.
  ///
  /// - Throws: the first target's error if none is.
  public func checkAnyTargetIsThere() throws {
    var first: (any Error)?
    for target in targets {
      do {
        try target.check()
        return
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// Collects the contents of an archive; writes nothing.
  ///
  /// An error of one source leaves out that source, which is reported; the others are collected.
  ///
  /// - Parameter isFirst: whether no archive was made before; of a vault that has one, an empty bundle is compared with it.
  /// - Returns: what the sources have.
  /// - Throws: the first source's error if no source has anything for a first archive, and errors that end a run.
  public func collect(isFirst: Bool = true) throws -> BackupBundle {
    var first: (any Error)?
    let collected = try BackupBundle.collected(from: try answers.collectors(request)) { source in
      try report(.progress(.collecting(source: source.name)))
      return request
    } leavingOut: { source, error in
      guard !(error is Interrupted), !Interruption.wasRequested, let reason = answers.reason(error) else {
        throw error
      }
      first = first ?? error
      return .failed(source.name, reason)
    }
    let bundle = try collected.checkingShares(encodings)
    if let first, isFirst, bundle.sections.isEmpty { throw first }
    return bundle
  }

  /// Collects, and makes a digest; again if a file changed in between.
  private func collectWithDigest(isFirst: Bool) throws -> (bundle: BackupBundle, digest: String) {
    while true {
      let bundle = try collect(isFirst: isFirst)
      do {
        return (bundle, try digest(of: bundle))
      } catch  where request.changes.beginsAgain(after: error) {
        continue
      }
    }
  }

  /// Makes an archive, or finds that the last one is still current.
  ///
  /// - Parameters:
  ///   - next: the vault.
  ///   - state: this machine's state. The lock is held until the run ends.
  /// - Returns: the outcome.
  /// - Throws: the errors of ``Publication/create(_:recognizing:progress:collect:)``, and errors from the closures.
  public func run(of next: NextVault, state: LockedState) throws -> BackupOutcome {
    let vault = next.id
    var contents = ContentsMemory()
    contents.sections = sections
    contents.compared = request.selection.sections.subtracting([.manifest])
    contents.acceptance = acceptance
    contents.sources = sources
    let continued = options.isAdopting ? nil : try continueFound(next, state)
    let isFirst = try state.directory.vault(vault).counts == nil
    var other: OtherMachine?
    let recognize = { (found: [TargetEntry]) in
      guard !options.isAdopting, other == nil else { return }
      other = try otherMachine(of: vault, among: found, state)
    }
    if onlyOnChange {
      let (bundle, content) = try collectWithDigest(isFirst: isFirst)
      contents.content = content
      if var unchanged = try unchanged(content, of: vault, state, recognizing: recognize) {
        unchanged.undecided = try undecided(vault, state)
        unchanged.isLossElsewhere = try isElsewhere(unchanged.losses, since: unchanged.link.digest)
        try unchanged.note(in: state.directory, vault: vault)
        return .unchanged(unchanged, bundle)
      }
    }
    let signing = try answers.signing(vault)
    let slots = try answers.slots(try newest(of: vault, state) ?? continued)
    var backup = Publication(
      to: targets, of: vault, label: facts.label, slots: slots, signing: signing,
      created: UInt64(max(0, SystemClock.now) / 1_000_000), state: state)
    backup.options = options
    if options.isAdopting { try acceptLineage(of: vault, state) }
    backup.trust = try answers.trust()
    // The user's key signed the user's archives: a machine without state recognizes them by it.
    if case .key(let key) = signing, trustsOwnKey { backup.trust.everywhere.insert(key.publicKey) }
    backup.memory = contents
    backup.changes = request.changes
    var made = try backup.create(
      facts, recognizing: recognize, progress: { try report(.progress($0)) }
    ) {
      try collect(isFirst: isFirst)
    }
    made.otherMachine = other
    made.leftOutSources = sources.leftOut
    made.beside = next.beside
    made.undecided = try undecided(vault, state)
    made.isLossElsewhere = try isElsewhere(made.losses, since: made.archive.digest.hex)
    try report(.published(made))
    try made.note(in: state.directory, vault: vault)
    return .made(made)
  }

  /// The vault that this machine may be meant to continue instead of one.
  private func undecided(_ vault: VaultID, _ state: LockedState) throws -> VaultID? {
    try state.directory.vault(vault).besides.flatMap { VaultID(hex: $0) }
  }

  /// Whether another signer than the newest archive's made an archive that has what is missing since.
  private func isElsewhere(_ losses: [Absence], since newest: String) throws -> Bool {
    guard !losses.isEmpty else { return false }
    let found = try archivesInTargets()
    func signers(_ digests: Set<String>) -> Set<Ed25519.PublicKey> {
      Set(found.filter { digests.contains($0.statedDigest.hex) }.compactMap(\.facts.signer))
    }
    let own = signers([newest])
    return !own.isEmpty && !signers(Set(losses.map(\.last.digest))).isSubset(of: own)
  }

  /// The requested sections.
  ///
  /// Private keys stay in the keychain unless they are requested.
  private var sections: Set<Section> {
    Set(
      Section.allCases.filter { section in
        section != .manifest && request.selection.contains(section)
          && (!section.leavesOnRequest || request.includesPrivateKeys)
      })
  }

  /// A digest of the archive's would-be contents and of the request.
  private func digest(of bundle: BackupBundle) throws -> String {
    try report(.comparing)
    let names = sections.sorted().map(\.name)
    // A password that is newly given changes the findings, but no record.
    let worth = bundle.findings.map { "\($0.kind) \($0.name) \($0.result.verdict) \($0.result.reason)" }
    let digest = try bundle.fingerprint().digest(askedFor: names + answers.askedFor() + worth).hex
    try report(.compared)
    return digest
  }
}

/// Answers from the user or the options.
///
/// Each is requested when it is needed, and an error that it throws ends the run.
public struct BackupAnswers {
  /// Creates the collectors.
  public var collectors: (CollectionRequest) throws -> [any Collector]
  /// Returns the request's options, apart from its sections.
  ///
  /// Other options make another archive.
  public var askedFor: () throws -> [String]
  /// Returns the signer of the vault's archive.
  public var signing: (_ vault: VaultID) throws -> ArchiveSigning
  /// Returns the new archive's slots, given the newest archive that this machine knows or continues.
  public var slots: (_ known: VaultState.Link?) throws -> [NewSlot]
  /// Returns the current trusted signers.
  public var trust: () throws -> Trust
  /// Returns the secrets that may open the vault's archives, if the user provided any.
  public var archiveSecrets: () throws -> UnlockingSecrets?
  /// Returns whether an archive's signer belongs to the vault; false without a user to ask.
  public var isOwnSigner: (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool
  /// Why a source is left out, in one sentence, for an error of it; nil if the error ends the run.
  public var reason: (any Error) -> String?

  /// Creates the answers.
  public init(
    collectors: @escaping (CollectionRequest) throws -> [any Collector],
    askedFor: @escaping () throws -> [String],
    signing: @escaping (_ vault: VaultID) throws -> ArchiveSigning,
    slots: @escaping (_ known: VaultState.Link?) throws -> [NewSlot],
    trust: @escaping () throws -> Trust, archiveSecrets: @escaping () throws -> UnlockingSecrets?,
    isOwnSigner: @escaping (_ signer: Ed25519.PublicKey, _ facts: HeaderFacts) throws -> Bool,
    reason: @escaping (any Error) -> String? = { _ in nil }
  ) {
    self.collectors = collectors
    self.askedFor = askedFor
    self.signing = signing
    self.slots = slots
    self.trust = trust
    self.archiveSecrets = archiveSecrets
    self.isOwnSigner = isOwnSigner
    self.reason = reason
  }
}

/// An event of a running backup, for display.
public enum BackupEvent: Sendable {
  /// A step has begun.
  case progress(BackupProgress)
  /// The collected contents are compared with those of the last archive.
  case comparing
  /// It was.
  case compared
  /// This machine knows nothing of the vault, and continues its archives in the targets.
  case continues(VaultID, after: UInt64)
  /// The last archive is damaged in a target, so that a new one is made.
  case lastIsDamaged(VaultState.Link, target: String)
  /// The archive has its name.
  case published(BackupReport)
}

/// The outcome of a backup.
public enum BackupOutcome: Sendable {
  /// An archive was made.
  case made(BackupReport)
  /// Nothing has changed since the last one.
  case unchanged(UnchangedArchive, BackupBundle)
}

/// The sources of a run, and the configured ones that it leaves out.
public struct RunSources: Sendable {
  /// The configured sources that this run leaves out because the user listed others for this run alone, in the form of
  /// `--from`.
  ///
  /// Their contents are not lost: the run does not look for them.
  public var leftOut: [String] = []

  /// No source is left out.
  public init() {}
}
