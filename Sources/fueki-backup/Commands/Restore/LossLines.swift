internal import FoundationEssentials
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiWallet

extension SectionLoss.Gap {
  /// Which records are lost, as exactly as is known, numbered from 1.
  var sentence: String {
    if let records {
      return records.count == 1
        ? "record \(records.lowerBound)" : "records \(records.lowerBound) to \(records.upperBound)"
    }
    return "\(count.sentence) of records \(first.lowerBound) to \(last.upperBound)"
  }
}

/// The losses from a damaged archive, as lines.
enum LossLines {
  static func print(
    _ archive: any UnlockedArchive, _ losses: Losses, _ manifest: Manifest, _ console: Console
  ) {
    guard let archive = archive as? SalvagedArchive else { return }
    if !archive.source.provesChunks {
      console.warning(
        "the leaf table is damaged too: "
          + "anyone with the key of a scope could have written what was restored of it")
    }
    switch archive.history {
    case .own: break
    case .joined(let base):
      if losses.sections.contains(where: { ArchiveScope(sectionID: $0.section) == .history }) {
        console.warning(
          "where records of the history are lost, those of its base came back (\(base.sentence)): "
            + "they may be older than the lost ones, or were removed since")
      }
    case .withoutBase(let base):
      console.warning(
        "its base is not here, or its history is lost: \(base.sentence); "
          + "of the history, only what changed since its base came back")
    case .withoutChanges(let base):
      console.warning(
        "the link to its base is lost (\(base.sentence)); "
          + "of the history, only what changed since its base came back")
    }
    for scope in losses.scopes { console.warning("lost: all of the \(scope.name), whose index is damaged") }
    for loss in losses.sections {
      let ranges = loss.gaps.prefix(50).map(\.sentence).joined(separator: ", ")
      let more = loss.gaps.count > 50 ? ", and \(loss.gaps.count - 50) more gaps" : ""
      console.warning(
        "lost: \(loss.lostRecords) of \(loss.records) records of \(SectionName.of(loss.section)) "
          + "(\(Readable.bytes(loss.lostBytes))): \(ranges)\(more)")
    }
    for share in losses.shares {
      console.warning("lost: key share \(Hex.encode(share.id.span)) \(share.name)")
    }
    // These lines accompany restored contents, so another fault in the archive does not stop them.
    if let files = try? LostFiles(archive, losses, manifest) { print(files, console) }
    if losses.isEmpty, archive.source.isDamaged {
      console.warning("the archive is damaged, but every restored record is intact")
    }
  }

  private static func print(_ files: LostFiles, _ console: Console) {
    let records = Readable.count(files.recordCount, "record")
    console.warning("lost: \(records) of files. No part of these files is left, so nothing here names them")
    guard !files.candidates.isEmpty else { return }
    let named = files.candidates.prefix(20).joined(separator: ", ")
    let more = files.candidates.count > 20 ? ", and \(files.candidates.count - 20) more" : ""
    console.warning("no file of these wallets came back. The lost files may be theirs: \(named)\(more)")
  }

  /// Prints the gaps of the archive since it was made, which no restore can fill.
  static func print(missing manifest: Manifest, _ console: Console) {
    let missing = manifest.missing
    for part in missing.prefix(20) { console.warning("already missing when the archive was made: \(part)") }
    if missing.count > 20 {
      console.warning(
        "already missing when the archive was made: \(missing.count - 20) more parts. \"fueki-backup show\" lists them"
      )
    }
    AbsenceLines.print(restored: manifest.losses, console)
  }

  static func print(_ orphans: [Orphans], _ console: Console) {
    for found in orphans {
      console.warning(
        "\(found.count) of \(found.section.name) belong to \(found.parent.name) that did not come back; "
          + "they were kept")
    }
  }
}
