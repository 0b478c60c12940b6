internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

extension ImportedRecords {
  /// Reports that nothing was found in a directory, or refuses a file with the reason.
  ///
  /// - Throws: ``ForeignFileError/notThisFormat(reason:)`` if the path is not a directory.
  mutating func foundNothing(at path: String, _ sentence: String) throws {
    // A destroyed wallet was found, and is reported.
    guard !findings.contains(where: { $0.isFaulty || $0.isUnread }) else { return }
    exclude(path, sentence, loss: .possible)
    guard (try? Directory.open(path)) == nil else { return }
    let reason = excluded.first.map { "\($0.what): \($0.reason)" }
    throw ForeignFileError.notThisFormat(reason: reason ?? "\(path): \(sentence)")
  }
}

/// The regular files at a path that are read whole: one, or those directly in a directory.
struct SourceFiles {
  /// The user's path.
  let path: String
  /// The limit of a file's length.
  let byteCountLimit: UInt64
  /// The loss if a longer file is excluded: wallet files grow, key files do not.
  var longFileLoss = ImportedRecords.Loss.none
  /// Keeps destroyed wallets.
  var destroyed: DestroyedFiles?
  /// Keeps files that are too long to read; nil to exclude them.
  var unread: UnreadFiles?

  /// Passes each file to `body`, in byte order of names, and excludes those that cannot be opened.
  ///
  /// - Throws: if the path itself cannot be opened, and the errors of `body`.
  func forEach(
    into records: inout ImportedRecords,
    _ body: (borrowing FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    var byteCount = 0
    try FileWalk(path: path, destroyed: destroyed, isFlat: true).forEach(into: &records) { found, records in
      byteCount += Int(clamping: min(found.status.size, byteCountLimit))
      guard byteCount <= ImportLimits.folderByteCount || found.isNamed else {
        throw ForeignFileError.overLimit(
          reason: "\(path) has more than \(ImportLimits.folderByteCount >> 20) MiB of files in it")
      }
      if found.status.size > byteCountLimit, try keepsUnread(found, &records) { return }
      // Unsuitable files of a directory are skipped. A file named by the user is refused.
      if found.isNamed {
        _ = try SourceFile.byteCount(found.status, found.nameText, limit: Int(clamping: byteCountLimit))
      }
      guard found.status.size > 0 else { return records.exclude(found.nameText, "empty", loss: .none) }
      guard found.status.size <= byteCountLimit else {
        return records.exclude(
          found.nameText, "longer than \(byteCountLimit) bytes, which no such file is", loss: longFileLoss)
      }
      try body(found, &records)
    }
  }

  /// Keeps a file that is too long, if wallets of this kind can be that long and this is a backup.
  private func keepsUnread(
    _ found: borrowing FoundFile, _ records: inout ImportedRecords
  ) throws -> Bool {
    guard let unread, unread.request.isForBackup, longFileLoss == .possible else { return false }
    try unread.keep(found, in: &records)
    return true
  }
}
