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
    var shown = ShownArchive(found, names)
    if let unlocking = try secrets.unlockingWithoutAsking(console) {
      let open: OpenArchive
      do {
        open = try stored.opened(with: unlocking, names: names, bases: found.bases)
      } catch let error as ArchiveError where error.isOfBase {
        // All but the history is in the archive whole.
        console.warning(error.failure.message)
        open = try stored.opened(with: unlocking, names: names, bases: nil)
      }
      shown.contents = try ShownArchive.Contents(open)
    }
    guard !output.json else { return Document.write(shown.document) }
    shown.print(console)
  }
}

/// An archive's public facts, and with a secret its contents, as lines and as a document.
private struct ShownArchive {
  /// What a secret opens.
  struct Contents {
    let archive: OpenArchive
    /// Nil where the secret does not open the profile.
    let opened: (manifest: Manifest, bundleChecksum: String)?
    let hazards: [HazardousWallet]

    init(_ archive: OpenArchive) throws {
      self.archive = archive
      opened = try archive.decodedManifest()
      hazards = try archive.hazardousWallets(in: .everything)
    }

    /// The scopes that the secret does not open.
    var closed: [String] { ArchiveScope.allCases.filter { !archive.scopes.contains($0) }.map(\.name) }
  }

  let archive: StoredArchive
  let path: String
  let names: SlotNames
  let whose: Ownership
  let base: (reference: BaseReference, isAtHand: Bool)?
  let longTerm: LongTerm
  var contents: Contents?

  init(_ found: FoundArchive, _ names: SlotNames) {
    (archive, path, whose, self.names) = (found.stored, found.path, found.ownership, names)
    let bases = found.bases
    base = archive.facts.base.map { (reference: $0, isAtHand: bases.isAtHand($0)) }
    longTerm = LongTerm(archive, base: bases.structure)
  }

  /// `show --json`.
  var document: Members {
    let manifest = contents?.opened?.manifest
    return [
      "schema": "fueki.show/1",
      "header": header,
      "manifest": manifest.map {
        [
          "program": $0.program, "label": $0.label, "device": $0.device,
          "sources": $0.sources.map(\.document), "problems": $0.problems.map(\.problem),
          "shareChecks": $0.shareChecks, "includesPrivateKeys": $0.includesPrivateKeys,
          "losses": $0.losses.map(\.document),
        ] as Members
      },
      "sections": contents?.archive.sections.map {
        [
          "name": SectionName.of($0.id), "records": $0.records, "bytes": $0.plaintextBytes,
          "sha256": $0.digest.hex,
        ] as Members
      },
      "closed": contents?.closed,
      "hazards": contents?.hazards.map(\.document),
      "wallets": manifest?.findings.map(\.document),
      "bundleChecksum": contents?.opened?.bundleChecksum,
    ]
  }

  private var header: Members {
    let facts = archive.facts
    return [
      "path": path,
      "id": archive.statedDigest.hex,
      "vault": facts.vaultID.hex,
      "sequence": facts.sequence,
      "previous": facts.previous.hex,
      "base": base.map { $0.reference.document(isAtHand: $0.isAtHand) },
      "created": Times.text(facts.created),
      "signer": facts.signer?.hex,
      "authenticity": Authenticity(archive).rawValue,
      "seals": SealCover(facts).rawValue,
      "whose": whose.rawValue,
      "slots": archive.slots.map { slot in
        [
          "number": slot.number, "name": names[slot.number, of: archive.slots.count],
          "type": slot.type.name, "opens": slot.mask.scopes.map(\.name),
        ] as Members
      },
      "longTerm": longTerm.document,
      "bytes": archive.byteCount,
      "streams": Dictionary(
        uniqueKeysWithValues: zip(ArchiveScope.allCases.map(\.name), archive.streamBytes)),
    ]
  }

  /// The same as lines.
  func print(_ console: Console) {
    let facts = archive.facts
    console.line("archive   \(archive.statedDigest.hex)")
    console.line("vault     \(facts.vaultID.hex), number \(facts.sequence)")
    if let base {
      console.line("base      \(BaseLines.sentence(base.reference, isAtHand: base.isAtHand))")
    }
    console.line("created   \(Times.text(facts.created))")
    let unsigned =
      Authenticity(archive) == .unprovable
      ? "none: nothing proves who made it, because more than one key holder could have"
      : "none: anyone who has the passphrase could have made it"
    console.line("signer    \(facts.signer?.hex ?? unsigned)")
    if let seals = SealLines.value(SealCover(facts)) { console.line("seals     \(seals)") }
    console.line("whose     \(OwnershipLines.sentence(whose))")
    for slot in archive.slots {
      let name = names[slot.number, of: archive.slots.count].map { " (\($0))" } ?? ""
      let opens = slot.mask.scopes.map(\.name).joined(separator: ", ")
      console.line("slot \(slot.number)    \(slot.type.name)\(name), opens \(opens)")
    }
    console.line("sealed for the long term: \(longTerm.sentence)")
    console.line("size      \(Readable.bytes(archive.byteCount))")
    guard let contents else {
      console.note("add the passphrase (with --passphrase-from, for example) to see its contents")
      return
    }
    if let manifest = contents.opened?.manifest { print(manifest, console) }
    for section in contents.archive.sections {
      console.line(
        "\(SectionName.of(section.id)): \(Readable.count(section.records, "record")), "
          + Readable.bytes(section.plaintextBytes))
    }
    for wallet in contents.hazards {
      console.line(
        "hazard    \"\(wallet.name)\": \(wallet.hazards.joined(separator: ", ")). Dangerous when old or in use twice"
      )
    }
    for scope in contents.closed { console.line("\(scope): this secret does not open it") }
    if let checksum = contents.opened?.bundleChecksum { console.line("checksum  \(checksum)") }
  }

  private func print(_ manifest: Manifest, _ console: Console) {
    console.line("made by   \(manifest.program) on \(manifest.device)")
    for source in manifest.sources {
      let missing = source.complete ? 0 : source.excluded.count { !$0.byRequest && !$0.isKeptUnread }
      console.line("source    \(source.name): \(source.complete ? "complete" : "\(missing) parts missing")")
      for part in source.excluded {
        let fate = part.fate(isComplete: source.complete, missing: "missing")
        console.line("          \(fate): \(part.what): \(part.bareReason)")
      }
    }
    for absence in manifest.losses {
      console.line("lacks     \(absence.place)\(absence.isAccepted ? "; its owner accepted the loss" : "")")
    }
    for line in FindingLines.lines(manifest.findings) { console.line("wallet    \(line)") }
    for check in manifest.shareChecks { console.line("shares    \(check)") }
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

extension BaseReference {
  /// The base in JSON.
  func document(isAtHand: Bool) -> Members {
    ["id": digest.hex, "sequence": sequence, "atHand": isAtHand]
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
  /// Nil if a signature covers the seals. Opening an archive checks the seals of the scopes that the secret opens.
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
