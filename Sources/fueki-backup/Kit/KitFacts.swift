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
