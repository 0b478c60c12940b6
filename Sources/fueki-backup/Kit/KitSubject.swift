internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The archive that a recovery kit speaks of, every byte of it as it was written, and what lies around it.
struct KitSubject {
  let path: String
  let archive: IntactArchive
  /// All targets, those that are not there too.
  let targets: [Target]
  /// What the targets that are there hold of the archive's vault.
  let entries: [TargetEntry]
  /// What the sources of the archive held and it lacks, as far as this machine knows.
  let missing: [String]
  /// What the backup of each wallet in it is worth, as far as this machine knows.
  let findings: [WalletFinding]
  /// How many files of other programs in it can go back into a home; nil where this machine does not know.
  let placedFiles: UInt64?
  /// Whether it, and its base where it has one, are sealed for the long term.
  let longTerm: LongTerm
  /// Whether its base is at hand, where it needs one.
  let base: (reference: BaseReference, isAtHand: Bool)?

  var facts: HeaderFacts { archive.facts }

  /// Looks an archive up; a disk that is not plugged in is a warning.
  ///
  /// Of several vaults' archives, `latest` is the configuration's vault's.
  ///
  /// - Parameters:
  ///   - name: a path, a short id, or `latest`.
  ///   - targets: all that are configured or given.
  ///   - options: whose signature is demanded.
  ///   - configuration: what a vault is called.
  ///   - console: where warnings go.
  ///   - signs: whether a page is made, which sends somebody to the archive.
  ///   - progress: what it throws ends the work.
  /// - Throws: what says that this machine knows a newer archive, or another in its place, or that the archive is not this
  ///   person's: the page would send them to a stranger's.
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
      } catch is Interrupted {
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
  var holders: Set<String> { Set(entries.map { Target(holding: $0.path).path }) }
}
