internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem
internal import FuekiWallet

extension RestoreOutcome {
  /// `restore --json`.
  func document(_ endpoints: [WalletEndpoint] = [], _ earlier: [Members] = []) -> Members {
    let report = recovered
    return report.manifest.documentOfRestore + report.losses.document + report.proofs.documentOfRestore
      + [
        "archive": report.archive.digest.hex,
        "path": path,
        "stages": report.stages.map(\.document),
        "conflicts": merge?.conflicts.map(\.document) ?? [],
        "namesakes": merge?.namesakes.map(\.document) ?? [],
        "merged": merge?.counts.document,
        "previous": merge?.previous,
        "restored": report.restored.document,
        "notRestored": SectionName.notRestored(report.closedScopes, report.unknownSections),
        "lostShares": report.losses.shares.map(\.lostDocument),
        "orphans": orphans.map(\.document),
        "hazards": wallets.map(\.document),
        "archiveEndpoints": endpoints.map(\.document),
        "resync": report.resync.sentence,
        "files": files.document,
        "earlier": earlier,
      ]
  }
}

extension Manifest {
  /// What the documents of `restore` have of the manifest.
  fileprivate var documentOfRestore: Members {
    ["schema": "fueki.restore/1", "missing": missing, "wallets": findings.map(\.document)]
  }
}

extension ProofReport {
  fileprivate var documentOfRestore: Members {
    ["proofs": documents, "olderShares": olderShares.map(\.document)]
  }
}

extension StageResult {
  /// A stage in JSON.
  var document: Members {
    ["name": stage.rawValue, "result": result.sentence, "seconds": seconds, "counts": counts]
  }
}

extension [Section: UInt64] {
  /// The numbers of records by the names of their sections, in JSON.
  var document: [String: UInt64] { reduce(into: [:]) { $0[$1.key.name] = $1.value } }
}

extension RestoreJournal {
  /// The document of a restore that was interrupted after everything was in place.
  var document: Members {
    let none: [Members] = []
    return [
      "schema": "fueki.restore/1",
      "archive": digest,
      "path": archive,
      "stages": stages.map {
        ["name": $0, "result": "done", "seconds": 0.0, "counts": [String: UInt64]()] as Members
      },
      "previous": previous,
      "restored": [String: UInt64](),
      "notRestored": notRestored ?? [],
      "resync": "not run: the restore was stopped before it",
      "conflicts": none, "namesakes": none, "missing": none, "lost": none, "lostScopes": none,
      "lostShares": none, "orphans": none, "proofs": none, "olderShares": none, "hazards": none,
      "wallets": none, "archiveEndpoints": none, "earlier": none,
    ]
  }
}

extension RestorePreview {
  /// `restore --dry-run --json`.
  var document: Members {
    plan.manifest.documentOfRestore + plan.losses.document + plan.proofs.documentOfRestore
      + [
        "dryRun": true,
        "sections": plan.sections.map(\.name),
        "plan": counts.document,
        "conflicts": merge?.conflicts.map(\.document) ?? [],
        "namesakes": merge?.namesakes.map(\.document) ?? [],
        "notRestored": SectionName.notRestored(plan.closedScopes, plan.unknownSections),
        "hazards": wallets.map(\.document),
      ]
  }
}

extension SectionLoss {
  /// The losses of one section, in JSON.
  fileprivate var document: Members {
    [
      "section": SectionName.of(section), "records": lostRecords, "of": records, "bytes": lostBytes,
      "gaps": gaps.map {
        ["records": $0.sentence, "from": $0.bytes.lowerBound, "to": $0.bytes.upperBound] as Members
      },
    ]
  }
}

extension Orphans {
  /// Records whose parents are not in the archive, in JSON.
  var document: Members { ["section": section.name, "parent": parent.name, "records": count] }
}

extension Losses {
  /// What could not be read of a damaged archive, in JSON.
  var document: Members { ["lost": sections.map(\.document), "lostScopes": scopes.map(\.name)] }
}

extension KeyShareDescriptor {
  /// A key share that is lost, in JSON.
  var lostDocument: Members { ["id": Hex.encode(id.span), "name": name] }
}

extension HazardousWallet {
  /// The wallet in JSON.
  var document: Members { ["wallet": idText, "name": name, "hazards": hazards] }
}
