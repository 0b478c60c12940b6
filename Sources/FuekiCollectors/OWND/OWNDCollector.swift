package import FuekiBackup
package import FuekiCrypto
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
    fileNames: WalletNames(exact: OWNDStore.fileNames, possible: ["*.pb"]),
    recognises: { OWNDCollector.isZIP($0) ? $0.contains("backup.txt") : OWNDStore.isLikely($0) },
    read: OWNDCollector.read)
}

/// Collects a backup of the OWND wallet, its own files, or a directory of them.
///
/// The backup is a ZIP file with one entry, `backup.txt`: the seed and the presentations, but not the
/// credentials. Its own files are Protocol Buffers; see ``OWNDStore``.
package enum OWNDCollector {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "ownd"
  static let entryName = Array("backup.txt".utf8)

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    let unread = UnreadFiles(kind: Self.kind, path: source.path, request: request)
    var count = 0
    var refused: ForeignFileError?
    try SourceFiles(
      path: source.path, byteCountLimit: UInt64(Self.byteCountLimit), longFileLoss: .possible,
      destroyed: source.destroyed(request), unread: unread
    ).forEach(
      into: &records
    ) {
      found, records in
      let name = FileName.text(found.name)
      let bytes = try GuardedFile.bytes(of: found)
      do {
        records.add(try Self.records(bytes, file: name, work: request.work))
        try Self.keep(bytes, found, &records)
        // The seed comes without an address to compare. The wallet's own files have no secret.
        let isBackup = bytes.withBytes { Self.isZIP($0) }
        records.findings.append(
          WalletFinding(
            kind: Self.kind, name: name, isBackup ? .notProved(.nothingToCompare) : .publicPart(),
            isInClear: isBackup))
        count += 1
      } catch  where UnreadFiles.takes(error, request) {
        try unread.keep(found, in: &records)
        count += 1
      } catch let error as ForeignFileError {
        refused = refused ?? error
        records.exclude(name, error.sentence, loss: .possible)
      }
    }
    guard count > 0 else {
      throw refused ?? .notThisFormat(reason: "nothing of the OWND wallet is in \(source.path)")
    }
    records.keepOnly(request)
    return records
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

  /// Keeps the file itself.
  ///
  /// The backup contains the unencrypted seed, the others no more than their records.
  private static func keep(
    _ bytes: borrowing SecretBytes, _ found: borrowing FoundFile, _ records: inout ImportedRecords
  ) throws {
    let origin = found.origin(program: kind)
    guard !bytes.withBytes({ isZIP($0) }) else {
      return records.secretFiles += try GuardedFile.parts(
        bytes, source: kind, path: found.name, format: "ownd-backup", status: found.status, origin: origin)
    }
    let file = FileRecords(
      source: kind, path: found.name, content: bytes.withBytes { $0.copied() }, format: "ownd-store",
      status: found.status, origin: origin)
    records.files += file.parts
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
