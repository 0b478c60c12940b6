internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// The regular files at a path: one, or those of a directory, as ``SourceReach`` has it.
struct FileWalk {
  /// The limit of components of a path below the directory.
  static let depth = 64

  /// The user's path.
  let path: String
  /// Keeps destroyed wallets; nil if every file is kept anyway.
  var destroyed: DestroyedFiles?
  /// Directories whose archives are excluded.
  var targets = TargetFolders([])
  /// Whether subdirectories are excluded, and hidden files and editors' backups too.
  var isFlat = false

  /// Passes each file to `body`, directory by directory in byte order of names.
  ///
  /// - Throws: if the path itself cannot be opened, and the errors of `body`.
  func forEach(
    into records: inout ImportedRecords,
    _ body: (borrowing FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    guard let folder = try? Directory.open(path) else {
      let file = try File.openRegular(path)
      let status = try file.status()
      let name = PathParts(path).name.pathBytes
      let found = FoundFile(file: file, name: name, status: status, path: path.pathBytes, isNamed: true)
      if let destroyed, try destroyed.keep(found, of: path, isNamed: true, in: &records) { return }
      return try body(found, &records)
    }
    var count = 0
    try walk(folder, below: [], &count, &records, body)
  }

  /// Whether a directory's file is skipped by name, as wallets do: hidden files and editors' backups.
  static func isPassedOver(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") || name.last == UInt8(ascii: "~")
  }

  private func walk(
    _ folder: borrowing Directory, below names: [[UInt8]], _ count: inout Int,
    _ records: inout ImportedRecords,
    _ body: (borrowing FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    let slash = UInt8(ascii: "/")
    var archives = targets.archives(in: folder)
    defer { archives.report(in: FileName.text([UInt8](names.joined(separator: [slash]))), &records) }
    for entry in try folder.list() {
      try Interrupted.check()
      let all = names + [entry.name]
      let name = [UInt8](all.joined(separator: [slash]))
      let text = FileName.text(name)
      switch entry.kind {
      case .symbolicLink: records.exclude(text, "a symbolic link, which is not followed", loss: .possible)
      case .other: records.exclude(text, "not a regular file", loss: .none)
      case .directory where isFlat:
        let isEmpty = (try? folder.openDirectory(entry.name).list().isEmpty) ?? false
        records.exclude(text, "a folder. Folders within are not searched", loss: isEmpty ? .none : .possible)
      case .directory:
        guard all.count < Self.depth else {
          records.exclude(text, "more than \(Self.depth) folders deep", loss: .possible)
          continue
        }
        let inner: Directory
        do throws(SystemError) {
          inner = try folder.openDirectory(entry.name)
        } catch {
          records.exclude(text, error.sentence, loss: .possible)
          continue
        }
        try walk(inner, below: all, &count, &records, body)
      case .file where isFlat && Self.isPassedOver(entry.name):
        let what = entry.name.first == UInt8(ascii: ".") ? "hidden" : "an editor's copy"
        records.exclude(text, "\(what). Wallets do not look at it either", loss: .none)
      case .file:
        if archives.leavesOut(entry.text) { continue }
        count += 1
        guard count <= ImportLimits.filesOfFolder.count else {
          throw ForeignFileError.overLimit(
            reason: "\(path) has more than \(ImportLimits.filesOfFolder.count) files in it")
        }
        let found: FoundFile
        do {
          let file = try folder.openFile(entry.name)
          let status = try file.status()
          found = FoundFile(file: file, name: name, status: status, path: path.pathBytes + [slash] + name)
        } catch {
          records.exclude(text, error.sentence, loss: .possible)
          continue
        }
        if let destroyed, try destroyed.keep(found, of: path, isNamed: false, in: &records) { continue }
        try body(found, &records)
      }
    }
  }
}
