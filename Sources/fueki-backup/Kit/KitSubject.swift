internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The archive of a recovery kit, with every byte intact, and its surroundings.
struct KitSubject {
  let path: String
  let archive: IntactArchive
  /// All targets, those that are not there too.
  let targets: [Target]
  /// The files of the archive's vault in the available targets.
  let entries: [TargetEntry]
  /// The things that the archive's sources held and it lacks, as far as this machine knows.
  let missing: [String]
  /// The findings on the backup of each wallet in it, as far as this machine knows.
  let findings: [WalletFinding]
  /// The number of other programs' files in it that can be restored to a home; nil if unknown.
  let placedFiles: UInt64?
  /// Whether it, and its base if it has one, are sealed for the long term.
  let longTerm: LongTerm
  /// Whether its base is at hand, where it needs one.
  let base: (reference: BaseReference, isAtHand: Bool)?

  var facts: HeaderFacts { archive.facts }

  /// Finds an archive.
  ///
  /// A disk that is not plugged in causes a warning.
  ///
  /// With several vaults' archives, `latest` is the configured vault's.
  ///
  /// - Parameters:
  ///   - name: a path, a short id, or `latest`.
  ///   - targets: all that are configured or given.
  ///   - options: the required signers.
  ///   - configuration: the names of vaults.
  ///   - console: receives warnings.
  ///   - signs: whether a page is made, which refers people to the archive.
  ///   - progress: receives each step. An error that it throws ends the work.
  /// - Throws: an error if this machine knows a newer archive, or another in its place, or if the archive is not the
  ///   user's, because the page would refer to a stranger's.
  init(
    _ name: String, in targets: [Target], _ options: TrustOptions, _ configuration: Configuration,
    _ console: Console, signs: Bool, progress: () throws -> Void
  ) throws {
    var found: [TargetEntry] = []
    var absent: (any Error)?
    var present: [Target] = []
    for target in targets {
      do {
        found += try target.entries()
        present.append(target)
      } catch  where Interrupted.isCause(of: error) {
        throw Interrupted()
      } catch {
        console.warning("\(target.path) could not be checked: \(Failure(describing: error).message)")
        absent = absent ?? error
      }
    }
    if present.isEmpty, let absent { throw absent }
    let subject = try FoundArchive(name, in: present, options, configuration, console)
    if signs { try subject.checkMine() }
    let archive = try subject.stored.intact(trusting: subject.trusted) { _ in try progress() }
    try VaultLineage.judge(archive.facts, digest: archive.digest, known: subject.known)
    path = subject.path
    let state = try Places.state().vault(archive.facts.vaultID)
    missing = state.missing(in: archive.digest.hex)
    findings = state.findings(in: archive.digest.hex)
    placedFiles = state.placedFiles(in: archive.digest.hex)
    longTerm = LongTerm(subject.stored, base: subject.bases.structure)
    base = archive.facts.base.map { ($0, subject.bases.isAtHand($0)) }
    self.archive = archive
    self.targets = targets
    entries = found.filter { $0.archive?.facts.vaultID == archive.facts.vaultID }
  }

  /// The targets that hold archives of the vault.
  var holders: Set<ExactText> { Set(entries.map { Target(holding: $0.path).place }) }
}
