internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CreateLines {
  /// `create --json`.
  func document(_ report: BackupReport, seconds: Double) -> Members {
    let (archive, facts) = (report.archive, report.archive.facts)
    let isNowhere = report.parityFailures.contains { $0.path.isEmpty }
    return report.bundle.document + [
      "archive": report.paths.first ?? "",
      "targets": report.paths,
      "id": archive.digest.hex,
      "sequence": facts.sequence,
      "differential": facts.base != nil,
      "base": facts.base.map { ["id": $0.digest.hex, "sequence": $0.sequence] as Members },
      "fullReason": report.fullReason?.code,
      "longTerm": LongTerm(archive.slotsForTheLongTerm, base: report.baseSlotsForTheLongTerm).document,
      "bytes": archive.byteCount,
      "sections": Dictionary(
        uniqueKeysWithValues: archive.recordCounts.map { (SectionName.of($0.key), $0.value) }),
      "losses": report.losses.map(\.document),
      "moved": report.moved.map { ["from": $0.from.text, "to": $0.to.text] as Members },
      "unplaced": report.bundle.unplacedFiles.map {
        ["reason": $0.reason.rawValue, "places": $0.places] as Members
      },
      "failedTargets": report.failures.map(\.path.text),
      "recoveryFiles": report.parity.map(\.name),
      "withoutRecoveryFiles": isNowhere ? report.paths : report.parityFailures.map(\.path.text),
      "copied": report.copies.copied.map(\.document),
      "otherMachine": report.otherMachine?.document,
      "undecidedVault": report.undecided?.hex,
      "beside": report.beside.map(\.hex),
      "seconds": seconds,
    ]
  }

  /// `create --on-change --json`, where nothing has changed.
  func document(_ unchanged: UnchangedArchive, _ bundle: BackupBundle) -> Members {
    bundle.document + [
      "unchanged": true,
      "id": unchanged.link.digest,
      "sequence": unchanged.link.sequence,
      "losses": unchanged.losses.map(\.document),
      "failedTargets": unchanged.failures.map(\.path.text),
      "copied": unchanged.copies.copied.map(\.document),
      "undecidedVault": unchanged.undecided?.hex,
    ]
  }
}

extension BackupBundle {
  /// What every document of `create` has.
  var document: Members {
    [
      "schema": "fueki.create/1",
      "sources": reports.map(\.document),
      "declinedKeys": reports.flatMap(\.declinedKeys).map(\.document),
      "wallets": findings.map(\.document),
      "shareChecks": shareReport?.manifestLines ?? [],
    ]
  }
}

extension OtherMachine {
  /// The newest archive that another machine made, in JSON.
  var document: Members {
    [
      "path": path, "id": newest.digest, "sequence": newest.sequence, "created": Times.text(created),
      "signer": signer?.hex,
    ]
  }
}

extension SourceReport {
  /// The contents and exclusions of one source, in JSON.
  var document: Members {
    let records: [String: UInt64] = included.reduce(into: [:]) { counts, included in
      counts[SectionName.of(UInt16(truncatingIfNeeded: included.section)), default: 0] += included.records
    }
    return [
      "name": name,
      "included": records,
      "excluded": excluded.map {
        ["what": $0.what, "reason": $0.reason, "byRequest": $0.byRequest] as Members
      },
      "complete": complete,
    ]
  }
}

extension BackupBundle {
  /// The files that `put-back` would leave in the archive on a machine like this one, or asks about.
  var unplacedFiles: [UnplacedFiles] {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else { return [] }
    let places = WalletsHere.places()
    return unplacedFiles(home: home) { places.answer($0, $1) }
  }
}
