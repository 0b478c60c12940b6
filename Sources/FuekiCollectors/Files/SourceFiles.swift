internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// An open regular file of a source.
struct FoundFile: ~Copyable {
  let file: File
  /// The name relative to the source's directory, as the file system's bytes.
  let name: [UInt8]
  let status: FileStatus
  /// The path used for opening, as the file system's bytes.
  let path: [UInt8]
  /// The place for putting it back, if different.
  var place: [UInt8]?

  /// The place for putting it back.
  var placePath: [UInt8] { place ?? path }

  /// The path with links resolved: a database's parts are next to the real file.
  var realPath: [UInt8] { CurrentProcess.absolutePath(of: PathText.text(path)).pathBytes }

  /// Why an archive cannot contain the file; nil if it can.
  ///
  /// A sparse file of a few kilobytes can be terabytes long, and an archive stores its holes as zeros.
  var sparseReason: String? {
    guard status.size > ImportLimits.holeByteCount else { return nil }
    let holes = file.holeByteCount()
    guard holes > ImportLimits.holeByteCount else { return nil }
    return "it has holes of \(holes) bytes, which an archive would hold as zeros, and at most "
      + "\(ImportLimits.holeByteCount >> 30) GiB of them are backed up: have its program write it again"
  }

  /// Returns the file's original place and program.
  func origin(program: String?) -> FileOrigin { FileOrigin(path: placePath, program: program) }
}

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

/// The regular files at a path: one, or those directly in a directory.
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
    do {
      try visit(try Directory.open(path), &records, body)
    } catch let error as SystemError where error.code == Self.notADirectory && error.call == "open" {
      let file = try File.openRegular(path)
      let status = try file.status()
      let name = PathParts(path).name.pathBytes
      let found = FoundFile(file: file, name: name, status: status, path: path.pathBytes)
      if let destroyed, try destroyed.keep(found, of: path, isNamed: true, in: &records) { return }
      if found.status.size > byteCountLimit, try keepsUnread(found, &records) { return }
      // Unsuitable files of a directory are skipped. A file named by the user is refused.
      _ = try SourceFile.byteCount(found.status, FileName.text(name), limit: Int(clamping: byteCountLimit))
      try visit(found, &records, body)
    }
  }

  /// Whether a directory's file is skipped by name: hidden files and editors' backups.
  static func isPassedOver(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") || name.last == UInt8(ascii: "~")
  }

  private static let notADirectory: Int32 = 20

  private func visit(
    _ folder: borrowing Directory, _ records: inout ImportedRecords,
    _ body: (borrowing FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    var (count, byteCount) = (0, 0)
    for entry in try folder.list() {
      try Interrupted.check()
      let name = FileName.text(entry.name)
      switch entry.kind {
      case .file: break
      case .directory:
        let isEmpty = (try? folder.openDirectory(entry.name).list().isEmpty) ?? false
        records.exclude(name, "a folder. Folders within are not searched", loss: isEmpty ? .none : .possible)
        continue
      case .symbolicLink:
        records.exclude(name, "a symbolic link, which is not followed", loss: .possible)
        continue
      case .other:
        records.exclude(name, "not a regular file", loss: .none)
        continue
      }
      if Self.isPassedOver(entry.name) {
        let what = entry.name.first == UInt8(ascii: ".") ? "hidden" : "an editor's copy"
        records.exclude(name, "\(what). Wallets do not look at it either", loss: .none)
        continue
      }
      let found: FoundFile
      do {
        let file = try folder.openFile(entry.name)
        let status = try file.status()
        found = FoundFile(
          file: file, name: entry.name, status: status,
          path: path.pathBytes + [UInt8(ascii: "/")] + entry.name)
      } catch {
        records.exclude(name, error.sentence, loss: .possible)
        continue
      }
      count += 1
      byteCount += Int(clamping: min(found.status.size, byteCountLimit))
      guard count <= ImportLimits.filesOfFolder.count, byteCount <= ImportLimits.filesOfFolder.byteCount
      else {
        throw ForeignFileError.overLimit(
          reason: "\(path) has more than \(ImportLimits.filesOfFolder.count) files, or than "
            + "\(ImportLimits.filesOfFolder.byteCount >> 20) MiB in them")
      }
      if let destroyed, try destroyed.keep(found, of: path, isNamed: false, in: &records) { continue }
      try visit(found, &records, body)
    }
  }

  private func visit(
    _ found: borrowing FoundFile, _ records: inout ImportedRecords,
    _ body: (borrowing FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    guard found.status.size > 0 else {
      return records.exclude(FileName.text(found.name), "empty", loss: .none)
    }
    guard found.status.size <= byteCountLimit else {
      if try keepsUnread(found, &records) { return }
      return records.exclude(
        FileName.text(found.name), "longer than \(byteCountLimit) bytes, which no such file is",
        loss: longFileLoss)
    }
    try body(found, &records)
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
