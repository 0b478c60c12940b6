package import FuekiBackup
package import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let ownd = CollectorKind(
    OWNDCollector.kind, "backups of the OWND wallet (ZIP), and its own files (.pb)", reach: .folder,
    guide: .wholeKits,
    programs: [
      WalletProgram(
        id: "ownd-export", title: "OWND wallet backup",
        places: [.export("*ownd*.zip", kind: "ownd", .never, .clearSecret)])
    ],
    fileNames: WalletNames(exact: OWNDStore.fileNames, certain: ["*ownd*.zip"], possible: ["*.pb"]),
    what: "file of the OWND wallet",
    recognises: { OWNDCollector.isZIP($0) ? $0.contains("backup.txt") : OWNDStore.isLikely($0) },
    look: OWNDCollector.look)
}

/// A backup of the OWND wallet, or its own files.
///
/// The backup is a ZIP file with one entry, `backup.txt`: the seed and the presentations, but not the
/// credentials. Its own files are Protocol Buffers; see ``OWNDStore``.
package enum OWNDCollector {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "ownd"
  static let entryName = Array("backup.txt".utf8)

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    let name = found.nameText
    // The seed comes without an address to compare. The wallet's own files have no secret.
    let isBackup = bytes.withBytes { isZIP($0) }
    var kept = Kept(
      format: isBackup ? "ownd-backup" : "ownd-store", isSecret: isBackup,
      asked.finding(name, isBackup ? .notProved(.nothingToCompare) : .publicPart()))
    kept.program = kind
    kept.records = try records(bytes, file: name, work: asked.work)
    return .wallet(kept)
  }

  /// Parses a complete file of either kind.
  ///
  /// Its name is used in messages.
  ///
  /// - Throws: ``ForeignFileError``, or the errors of ``SecretBytes/init(count:)``.
  package static func records(
    _ bytes: borrowing SecretBytes, file: String, work: WorkBudget
  ) throws -> ImportedRecords {
    guard !bytes.withBytes({ isZIP($0) }) else { return try records(bytes, work: work) }
    do throws(OWNDStoreError) {
      return try bytes.withBytes { bytes throws(OWNDStoreError) in try OWNDStore(bytes).records }
    } catch {
      throw error.asForeign(file)
    }
  }

  /// Whether a file's first bytes are those of a ZIP file.
  static func isZIP(_ beginning: Span<UInt8>) -> Bool {
    let mark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    return beginning.count >= mark.count && mark.indices.allSatisfy { beginning[$0] == mark[$0] }
  }

  /// Parses a complete backup.
  ///
  /// - Throws: ``ForeignFileError``, or the errors of ``SecretBytes/init(count:)``.
  package static func records(_ bytes: borrowing SecretBytes, work: WorkBudget) throws -> ImportedRecords {
    work.admit(input: UInt64(bytes.count))
    let content: SecretBytes
    do {
      content = try bytes.withBytes { bytes in
        let archive = try ZIPArchive(bytes)
        let wanted = archive.entries.filter { $0.name == entryName }
        guard wanted.count == 1 else {
          throw ForeignFileError.notThisFormat(
            reason: wanted.isEmpty
              ? "no backup.txt is in the ZIP file" : "backup.txt is in the ZIP file twice")
        }
        return try ZIPArchive.content(of: wanted[0], in: bytes, limit: byteCountLimit, work: work)
      }
    } catch let error as ZIPError {
      throw error == .overLimit
        ? ForeignFileError.overLimit(reason: error.sentence) : .notThisFormat(reason: error.sentence)
    }
    let document: GuardedDocument
    do throws(JSONError) {
      document = try GuardedDocument(content, limit: byteCountLimit)
    } catch {
      throw error.asForeign("in backup.txt ")
    }
    return try OWNDRecords.records(document.root, byteCount: bytes.count)
  }
}
