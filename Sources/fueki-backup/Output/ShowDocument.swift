internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

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
