internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiWallet

/// The remaining steps after a restore, as its last lines.
struct RestoreRemainder {
  /// A thing, and what to do about it.
  struct Item {
    let what: String
    let next: String
  }

  /// The things that did not come back.
  private(set) var missing: [Item] = []
  /// The restored things that need an action of the user.
  private(set) var unfinished: [Item] = []

  private static let limit = 20

  /// The remainder of a restore of single things: what else the archive says is of another time.
  init(adding outcome: RestoreOutcome) {
    let report = outcome.recovered
    for scope in report.closedScopes {
      add(
        "\(scope.name): this secret does not open it",
        "restore again with a key that opens it. \"fueki-backup key list ARCHIVE\" lists them")
    }
    add(report.losses)
    for proof in report.proofs.withheld {
      add(
        "\(ProofLines.name(of: proof)): \(proof.sentence)",
        "an older archive may have it whole; --accept differences restores it as it is")
    }
    add(outcome.files)
  }

  init(_ outcome: RestoreOutcome) {
    self.init(adding: outcome)
    let report = outcome.recovered
    for id in report.unknownSections {
      add("section \(id): this version does not know it", "restore with a newer fueki-backup")
    }
    for part in report.manifest.missing {
      add(
        "\(part) (not in the archive)",
        "look for it on the machine that made the backup, or in an older archive: fueki-backup show ARCHIVE")
    }
    for finding in report.manifest.findings.byUrgency {
      guard let next = finding.next else { continue }
      unfinished.append(Item(what: finding.line, next: next))
    }
  }

  private mutating func add(_ what: String, _ next: String) { missing.append(Item(what: what, next: next)) }

  private mutating func add(_ losses: Losses) {
    let next = "another copy of this archive, or an older archive, may have it: fueki-backup list"
    for scope in losses.scopes { add("all of the \(scope.name): its index is damaged", next) }
    for loss in losses.sections {
      add("\(loss.lostRecords) of \(loss.records) records of \(SectionName.of(loss.section)): damaged", next)
    }
    for share in losses.shares { add("key share \(Hex.encode(share.id.span)) \(share.name): damaged", next) }
  }

  private mutating func add(_ files: RestoredFiles) {
    let putBack = "fueki-backup put-back returns it to where its program looks for it"
    switch files {
    case .none: break
    case .waiting(let waiting):
      for file in waiting { add("\(file.placeText): left in the archive", putBack) }
    case .stopped(let error, let waiting):
      let failure = Failure(describing: error)
      for file in waiting {
        add("\(file.placeText): left in the archive, because \(failure.message)", failure.hint ?? putBack)
      }
    case .placed(let plan, _):
      for planned in plan.files {
        if case .waits(let reason) = planned.fate {
          add("\(planned.path): left in the archive", planned.waitSentence ?? reason.sentence)
        } else if let hold = planned.hold {
          unfinished.append(
            Item(what: "\(planned.path) is held back: \(hold.sentence)", next: "read \(planned.pagePath)"))
        }
      }
      if plan.lacksSecrets {
        add("files with secrets: this secret does not open them", "put-back with a secret that opens them")
      }
    }
  }

  /// Prints both lists.
  func print(_ console: Console) {
    print(missing, "NOT BROUGHT BACK, and what to do next:", console)
    print(unfinished, "Came back, and needs you:", console)
  }

  private func print(_ items: [Item], _ heading: String, _ console: Console) {
    guard !items.isEmpty else { return }
    console.line("")
    console.line(heading)
    for item in items.prefix(Self.limit) {
      console.line("  \(item.what)")
      console.line("    next: \(item.next)")
    }
    if items.count > Self.limit {
      console.line("  and \(items.count - Self.limit) more; --json lists all")
    }
  }
}

extension WalletFinding {
  /// The user's next step for a restored wallet that cannot spend by itself; nil if none is needed.
  fileprivate var next: String? {
    switch result {
    case .proved, .notProved: nil
    case .publicPart where kind == "lnd":
      "enter the node's seed words into a new node, and load this file there: the peers then close the channels"
    case .publicPart where kind == "eip3076": nil
    case .publicPart: "it cannot spend: its keys are in your device, or wherever else you keep them"
    case .withoutSeed: "enter its seed phrase into the wallet, from paper or from the device that has it"
    case .faulty: "compare it with other copies of the wallet, and delete none of them"
    }
  }
}
