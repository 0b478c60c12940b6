internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// A regular file of a source, open for reading.
struct FoundFile: ~Copyable {
  let file: File
  /// The name below the source's folder, as the file system's bytes.
  let name: [UInt8]
  let status: FileStatus
  /// The path that it was opened by, as the file system's bytes.
  let path: [UInt8]
  /// Where it goes back to, if that is elsewhere.
  var place: [UInt8]?

  /// Where it goes back to.
  var placePath: [UInt8] { place ?? path }

  /// The path without links: the parts of a database are next to the file that this names.
  var realPath: [UInt8] { CurrentProcess.absolutePath(of: PathText.text(path)).pathBytes }

  /// The reason why an archive cannot have the file; nil if it can.
  ///
  /// A sparse file of a few kilobytes can be terabytes long, and an archive has to hold its holes as zeros.
  var sparseReason: String? {
    guard status.size > ImportLimits.holeByteCount else { return nil }
    let holes = file.holeByteCount()
    guard holes > ImportLimits.holeByteCount else { return nil }
    return "it has holes of \(holes) bytes, which an archive would hold as zeros, and at most "
      + "\(ImportLimits.holeByteCount >> 30) GiB of them are backed up: have its program write it anew"
  }

  /// Where it lay, and whose it is.
  func origin(program: String?) -> FileOrigin { FileOrigin(path: placePath, program: program) }
}

extension ImportedRecords {
  /// Says that nothing was found: of a folder in the report, of a file by refusing it for what is wrong with it.
  ///
  /// - Throws: ``ForeignFileError/notThisFormat(reason:)`` where the path is no folder's.
  mutating func foundNothing(at path: String, _ sentence: String) throws {
    // A destroyed wallet was found, and is reported.
    guard !findings.contains(where: { $0.isFaulty || $0.isUnread }) else { return }
    exclude(path, sentence, loss: .possible)
    guard (try? Directory.open(path)) == nil else { return }
    let reason = excluded.first.map { "\($0.what): \($0.reason)" }
    throw ForeignFileError.notThisFormat(reason: reason ?? "\(path): \(sentence)")
  }
}

/// The regular files that a path names: one, or those directly in a folder.
struct SourceFiles {
  /// The path that a person gave.
  let path: String
  /// A longer file is none of this source's.
  let byteCountLimit: UInt64
  /// What leaving out a longer one means: a wallet's file grows, and a key's does not.
  var longFileLoss = ImportedRecords.Loss.none
  /// Keeps wallets that are destroyed.
  var destroyed: DestroyedFiles?
  /// Keeps files that are too long to be read; nil to leave them out.
  var unread: UnreadFiles?

  /// Gives each file to a closure, in the order of their names' bytes, and excludes what is not opened.
  ///
  /// - Throws: where the path itself cannot be opened, and what the closure throws.
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
      // Of a folder's files one that is none of these is left out; one that somebody named is refused.
      _ = try SourceFile.byteCount(found.status, FileName.text(name), limit: Int(clamping: byteCountLimit))
      try visit(found, &records, body)
    }
  }

  /// Whether a folder's file is passed over because of its name: hidden ones, and what editors leave.
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
        records.exclude(name, "a folder; folders within are not searched", loss: isEmpty ? .none : .possible)
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
        records.exclude(name, "\(what); wallets do not look at it either", loss: .none)
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

  /// Keeps a file that is too long, if a wallet of this kind could be that long and a backup is made.
  private func keepsUnread(
    _ found: borrowing FoundFile, _ records: inout ImportedRecords
  ) throws -> Bool {
    guard let unread, unread.request.isForBackup, longFileLoss == .possible else { return false }
    try unread.keep(found, in: &records)
    return true
  }
}
