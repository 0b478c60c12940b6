internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The facts of a recovery kit.
///
/// None are secret.
struct KitFacts {
  struct Place {
    let path: String
    let kind: String
  }

  /// A program next to archives.
  struct Program {
    let folder: String
    let digest: String
    /// The digest of the page for browsers in the same folder; nil without one.
    let page: String?
  }

  struct Slot {
    let number: Int
    let name: String?
    let type: SlotType
    let scopes: [String]
    /// For guardians: the number of shares needed, and of all shares.
    let shares: (needed: Int, count: Int)?

    /// The parts that it opens, in a few words.
    var opens: String {
      scopes.count == ArchiveScope.allCases.count ? "everything" : scopes.joined(separator: ", ")
    }
  }

  let label: String
  let device: String
  let made: UInt64
  let vault: String
  /// The key that signed.
  let signer: Ed25519.PublicKey?
  let sequence: UInt64
  let digest: String
  let created: UInt64
  /// The full archive that its history builds on: who has only one of the two restores no history.
  let base: (reference: BaseReference, isAtHand: Bool)?
  /// The things that this archive's sources held and it lacks, as far as this machine knows.
  let missing: [String]
  /// The findings on the backup of each wallet in it, as far as this machine knows.
  let findings: [WalletFinding]
  /// The number of other programs' files in it that can be restored to a home; nil if unknown.
  let placedFiles: UInt64?
  /// The newest archive, signed; nil without a signing key.
  let checkpoint: SignedCheckpoint?
  let places: [Place]
  let slots: [Slot]
  let longTerm: LongTerm
  /// The newest program next to the archives on a disk, if verifiably the original one.
  let program: Program?
  /// The place of the program's source, if known.
  let source: String?
  /// The slot that the passphrase on the page opens.
  var openedSlot: Int?

  init(
    _ subject: KitSubject, _ configuration: Configuration, checkpoint: SignedCheckpoint?,
    program: ProgramBeside?, source: String?
  ) {
    let stored = subject.archive.source
    let names = configuration.slotNames(of: stored)
    label = configuration.meant?.label ?? "wallet"
    device = HostName.current
    made = UInt64(max(0, SystemClock.now)) / 1_000_000
    vault = subject.facts.vaultID.hex
    signer = subject.facts.signer ?? checkpoint?.signer
    sequence = subject.facts.sequence
    digest = subject.archive.digest.hex
    created = subject.facts.created
    base = subject.base
    missing = subject.missing
    findings = subject.findings
    placedFiles = subject.placedFiles
    self.checkpoint = checkpoint
    self.source = source
    self.program = program.flatMap { program in
      program.digest.map { digest in
        Program(folder: program.folderName, digest: digest.hex, page: program.pageDigest?.hex)
      }
    }
    places = subject.targets.map { target in
      Place(path: target.place.text, kind: target.kind.rawValue)
    }
    longTerm = subject.longTerm
    slots = stored.slots.map { slot in
      Slot(
        number: slot.number, name: names[slot.number, of: stored.slots.count], type: slot.type,
        scopes: slot.mask.scopes.map(\.name),
        shares: slot.guardians.map { ($0.threshold, $0.shareTags.count) })
    }
  }

  /// The contents of the first code: the signed checkpoint, or the argument of `verify --known`.
  ///
  /// In upper case a code needs two fifths less room.
  var identityCode: String { checkpoint?.line.uppercased() ?? "\(vault):\(sequence):\(digest)".uppercased() }

  /// The contents of the second code: the places of the archives, one a line, as many as a phone can read.
  ///
  /// Nil if none is that short.
  var placesCode: String? {
    var text = ""
    for place in places where text.utf8.count + place.path.utf8.count < Self.codeLimit {
      text += (text.isEmpty ? "" : "\n") + place.path
    }
    return text.isEmpty ? nil : text
  }

  private static let codeLimit = 400
}

/// The part of a long number that people compare: its last eight digits.
enum CheckDigits {
  static let count = 8

  /// Digits in groups of four, as they are easily read and typed.
  static func grouped(_ hex: some StringProtocol) -> String {
    var grouped = ""
    for (index, digit) in hex.enumerated() {
      if index > 0, index % 4 == 0 { grouped += " " }
      grouped.append(digit)
    }
    return grouped
  }

  /// Returns the typed text without the paper's formatting.
  static func plain(_ typed: String) -> String {
    typed.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != ":" && $0 != "." }
  }
}

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
