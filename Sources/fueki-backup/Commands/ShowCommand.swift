internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `show`: prints an archive's public facts, and with a secret its contents.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what an archive says about itself, and, with a secret, what it holds.")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    try secrets.readGiven(console)
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    let stored = found.stored
    try found.checkDemanded()
    try found.checkNewest()
    let names = configuration.slotNames(of: stored)
    var document = ShowDocument(
      stored, path: found.path, names: names, whose: found.ownership, bases: found.bases)
    if let unlocking = try secrets.unlockingWithoutAsking(console) {
      let open: OpenArchive
      do {
        open = try stored.opened(with: unlocking, names: names, bases: found.bases)
      } catch let error as ArchiveError where error.isOfBase {
        // All but the history is in the archive whole.
        console.warning(Failure(error).message)
        open = try stored.opened(with: unlocking, names: names, bases: nil)
      }
      document.add(open, try open.decodedManifest())
      document.hazards = try open.hazardousWallets(in: .everything).map(HazardDocument.init)
    }
    guard !output.json else { return Document.write(document) }
    document.print(console)
  }
}

/// `show --json`.
struct ShowDocument: Encodable {
  struct Header: Encodable {
    struct Slot: Encodable {
      let number: Int
      let name: String?
      let type: String
      let opens: [String]
    }

    let path: String
    let id: String
    let vault: String
    let sequence: UInt64
    let previous: String
    let base: BaseDocument?
    let created: String
    let signer: String?
    let authenticity: String
    let seals: String
    let whose: String
    let slots: [Slot]
    let longTerm: LongTermDocument
    let bytes: UInt64
    let streams: [String: UInt64]
  }

  struct ManifestDocument: Encodable {
    let program: String
    let label: String
    let device: String
    let sources: [SourceDocument]
    let problems: [String]
    let shareChecks: [String]
    let includesPrivateKeys: Bool
    let losses: [AbsenceDocument]
  }

  struct SectionDocument: Encodable {
    let name: String
    let records: UInt64
    let bytes: UInt64
    let sha256: String
  }

  let schema = "fueki.show/1"
  let header: Header
  private let longTerm: LongTerm
  private let baseLine: String?
  var manifest: ManifestDocument?
  var sections: [SectionDocument]?
  var bundleChecksum: String?
  var closed: [String]?
  var hazards: [HazardDocument]?
  var wallets: [FindingDocument]?
  private var findings: [WalletFinding] = []
  private var absent: [Absence] = []

  /// The other properties are for display only.
  private enum CodingKeys: CodingKey {
    case schema, header, manifest, sections, closed, hazards, wallets, bundleChecksum
  }

  init(
    _ archive: StoredArchive, path: String, names: SlotNames, whose: Ownership, bases: BaseFinder
  ) {
    let facts = archive.facts
    let base = facts.base.map { (reference: $0, isAtHand: bases.isAtHand($0)) }
    baseLine = base.map { BaseLines.sentence($0.reference, isAtHand: $0.isAtHand) }
    longTerm = LongTerm(archive, base: bases.structure)
    header = Header(
      path: path, id: archive.statedDigest.hex, vault: facts.vaultID.hex, sequence: facts.sequence,
      previous: facts.previous.hex,
      base: base.map { BaseDocument($0.reference, isAtHand: $0.isAtHand) },
      created: Times.text(facts.created),
      signer: facts.signer?.hex, authenticity: Authenticity(archive).rawValue,
      seals: SealCover(facts).rawValue,
      whose: whose.rawValue,
      slots: archive.slots.map { slot in
        Header.Slot(
          number: slot.number, name: names[slot.number, of: archive.slots.count], type: slot.type.name,
          opens: slot.mask.scopes.map(\.name))
      }, longTerm: LongTermDocument(longTerm), bytes: archive.byteCount,
      streams: Dictionary(
        uniqueKeysWithValues: zip(ArchiveScope.allCases.map(\.name), archive.streamBytes)))
  }

  mutating func add(_ archive: OpenArchive, _ opened: (manifest: Manifest, bundleChecksum: String)?) {
    sections = archive.sections.map {
      SectionDocument(
        name: SectionName.of($0.id), records: $0.records, bytes: $0.plaintextBytes, sha256: $0.digest.hex)
    }
    closed = ArchiveScope.allCases.filter { !archive.scopes.contains($0) }.map(\.name)
    bundleChecksum = opened?.bundleChecksum
    findings = opened?.manifest.findings ?? []
    absent = opened?.manifest.losses ?? []
    wallets = opened.map { $0.manifest.findings.map(FindingDocument.init) }
    manifest = opened.map { opened in
      ManifestDocument(
        program: opened.manifest.program, label: opened.manifest.label, device: opened.manifest.device,
        sources: opened.manifest.sources.map(SourceDocument.init),
        problems: opened.manifest.problems.map(\.problem), shareChecks: opened.manifest.shareChecks,
        includesPrivateKeys: opened.manifest.includesPrivateKeys,
        losses: opened.manifest.losses.map(AbsenceDocument.init))
    }
  }

  /// The same as lines.
  func print(_ console: Console) {
    console.line("archive   \(header.id)")
    console.line("vault     \(header.vault), number \(header.sequence)")
    if let baseLine { console.line("base      \(baseLine)") }
    console.line("created   \(header.created)")
    let unsigned =
      header.authenticity == Authenticity.unprovable.rawValue
      ? "none: nothing proves who made it, because more than one key holder could have"
      : "none: anyone who has the passphrase could have made it"
    console.line("signer    \(header.signer ?? unsigned)")
    if let seals = SealCover(rawValue: header.seals).flatMap(SealLines.value) {
      console.line("seals     \(seals)")
    }
    if let whose = Ownership(rawValue: header.whose) {
      console.line("whose     \(OwnershipLines.sentence(whose))")
    }
    for slot in header.slots {
      let name = slot.name.map { " (\($0))" } ?? ""
      console.line("slot \(slot.number)    \(slot.type)\(name), opens \(slot.opens.joined(separator: ", "))")
    }
    console.line("sealed for the long term: \(longTerm.sentence)")
    console.line("size      \(Readable.bytes(header.bytes))")
    guard let sections else {
      console.note("add the passphrase (with --passphrase-from, for example) to see its contents")
      return
    }
    if let manifest {
      console.line("made by   \(manifest.program) on \(manifest.device)")
      for source in manifest.sources {
        let missing =
          source.complete
          ? 0 : source.excluded.count { !$0.exclusion.byRequest && !$0.exclusion.isKeptUnread }
        console.line("source    \(source.name): \(source.complete ? "complete" : "\(missing) parts missing")")
        for part in source.excluded {
          let fate = part.exclusion.fate(isComplete: source.complete, missing: "missing")
          console.line("          \(fate): \(part.what): \(part.exclusion.bareReason)")
        }
      }
    }
    for absence in absent {
      console.line("lacks     \(absence.place)\(absence.isAccepted ? "; its owner accepted the loss" : "")")
    }
    for line in FindingLines.lines(findings) { console.line("wallet    \(line)") }
    for check in manifest?.shareChecks ?? [] { console.line("shares    \(check)") }
    for section in sections {
      console.line(
        "\(section.name): \(Readable.count(section.records, "record")), \(Readable.bytes(section.bytes))")
    }
    for wallet in hazards ?? [] {
      console.line(
        "hazard    \"\(wallet.name)\": \(wallet.hazards.joined(separator: ", ")). Dangerous when old or in use twice"
      )
    }
    for scope in closed ?? [] { console.line("\(scope): this secret does not open it") }
    if let bundleChecksum { console.line("checksum  \(bundleChecksum)") }
  }
}

/// A differential archive's base, in words.
enum BaseLines {
  /// Which one it is, and whether a file with its digest is at hand.
  static func sentence(_ base: BaseReference, isAtHand: Bool) -> String {
    base.sentence + (isAtHand ? "" : ", which is not here")
  }

  /// Returns the warning of `verify` if the history could not be read.
  static func warning(_ base: BaseReference) -> String {
    "its base is not here: \(base.sentence). Without it, everything but the history can be restored"
  }
}

/// A differential archive's base, in JSON.
struct BaseDocument: Encodable {
  let id: String
  let sequence: UInt64
  let atHand: Bool

  init(_ base: BaseReference, isAtHand: Bool) {
    id = base.digest.hex
    sequence = base.sequence
    atHand = isAtHand
  }
}

/// The proof of an archive's seals, in words.
enum SealLines {
  /// The value of the line "seals" that `show` prints; nil if a signature covers them.
  static func value(_ cover: SealCover) -> String? {
    switch cover {
    case .covered: nil
    case .uncovered: "its signature does not cover them"
    case .unsigned: "unsigned: nothing vouches for them"
    }
  }

  /// The member of the JSON list; nil if a signature covers the seals.
  static func uncovered(_ cover: SealCover) -> String? { cover == .covered ? nil : cover.rawValue }

  /// The line that `verify` prints.
  ///
  /// - Parameters:
  ///   - cover: whether a signature covers the seals.
  ///   - wasOpened: whether a secret opened the archive, which checks the seals of the scopes that it opens.
  /// - Returns: nil if a signature covers the seals.
  static func sentence(_ cover: SealCover, wasOpened: Bool) -> String? {
    let rest = wasOpened ? "" : ". Opening was not tried"
    switch cover {
    case .covered: return nil
    case .uncovered: return "its signature does not cover the seals\(rest)"
    case .unsigned: return "it is unsigned, so nothing vouches for the seals\(rest)"
    }
  }

  /// The note below a list of archives; nil if the signatures of all of them cover the seals.
  static func note(_ covers: [SealCover]) -> String? {
    let count = covers.count { $0 != .covered }
    guard count > 0 else { return nil }
    return "no signature covers the seals of \(Readable.count(count, "archive")). Opening was not tried"
  }
}
