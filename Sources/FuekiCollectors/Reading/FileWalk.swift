internal import FuekiArchive
internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet

/// The regular files at a path: one, or those of a directory, as ``SourceReach`` has it.
struct FileWalk {
  /// The limit of components of a path below the directory.
  static let depth = 64

  /// The user's path.
  let path: String
  /// Directories whose archives are excluded.
  var targets = TargetFolders([])
  /// Whether subdirectories are excluded, and hidden files and editors' backups are told apart.
  var isFlat = false
  /// The names of which a file must not be missing.
  var names = WalletNames()

  /// Passes each file to `body`, directory by directory in byte order of names.
  func forEach(
    into records: inout ImportedRecords,
    _ body: (inout FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    guard let folder = try? Directory.open(path) else {
      let file = try File.openRegular(path)
      let status = try file.status()
      let name = PathParts(path).name.pathBytes
      var found = FoundFile(file: file, name: name, status: status, path: path.pathBytes, isNamed: true)
      return try body(&found, &records)
    }
    try forEach(in: folder, into: &records, body)
  }

  /// Whether a directory's file is skipped by name, as wallets do: hidden files and editors' backups.
  static func isPassedOver(_ name: [UInt8]) -> Bool {
    name.first == UInt8(ascii: ".") || name.last == UInt8(ascii: "~")
  }

  private func forEach(
    in folder: borrowing Directory, into records: inout ImportedRecords,
    _ body: (inout FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    var count = 0
    // The excluded archives of each directory on the way to the entry.
    var archives: [(of: [[UInt8]], found: LeftOutArchives)] = []
    func leave(_ depth: Int) {
      while archives.count > depth, let last = archives.popLast() {
        last.found.report(in: Self.text(last.of), &records)
      }
    }
    defer { leave(0) }
    try folder.walk { folder, entry, path in
      leave(path.count)
      if archives.count < path.count { archives.append((path.dropLast(), targets.archives(in: folder))) }
      let text = Self.text(path)
      switch entry.kind {
      case .symbolicLink: records.exclude(text, "a symbolic link, which is not followed", loss: .possible)
      case .other:
        // Programs have sockets and pipes in their folders, but none among key files.
        let mayBeWallet = isFlat || names.mayBeWallet(FileName.text(entry.name))
        records.exclude(text, "not a regular file", loss: mayBeWallet ? .possible : .none)
      case .directory where isFlat:
        let isEmpty = (try? folder.openDirectory(entry.name).list().isEmpty) ?? false
        records.exclude(text, "a folder. Folders within are not searched", loss: isEmpty ? .none : .possible)
      case .directory where path.count >= Self.depth:
        records.exclude(text, "more than \(Self.depth) folders deep", loss: .possible)
      case .directory: return true
      case .file:
        if archives[archives.count - 1].found.leavesOut(entry.text) { return false }
        count += 1
        guard count <= BackupLimits.files else {
          throw ForeignFileError.overLimit(
            reason: "\(self.path) has more than \(BackupLimits.files) files in it")
        }
        try visit(entry.name, in: folder, Self.name(path), into: &records, body)
      }
      return false
    } unopened: { path, error in
      records.exclude(Self.text(path), error.sentence, loss: .possible)
    }
  }

  private func visit(
    _ entry: [UInt8], in folder: borrowing Directory, _ name: [UInt8],
    into records: inout ImportedRecords, _ body: (inout FoundFile, inout ImportedRecords) throws -> Void
  ) throws {
    let path = path.pathBytes + [Self.slash] + name
    var found: FoundFile
    do {
      let file = try folder.openFile(entry)
      let status = try file.status()
      found = FoundFile(file: file, name: name, status: status, path: path)
      if isFlat, Self.isPassedOver(entry) {
        let what = entry.first == UInt8(ascii: ".") ? "hidden" : "an editor's copy"
        found.passedOver = "\(what). Wallets do not look at it either"
      }
    } catch {
      // A journal comes and goes with each transaction, and what it holds is read with its database.
      guard !error.isNotFound || !DatabaseParts.isPart(path) else { return }
      return records.exclude(FileName.text(name), error.sentence, loss: .possible)
    }
    try body(&found, &records)
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns a path below the directory.
  private static func name(_ path: [[UInt8]]) -> [UInt8] { [UInt8](path.joined(separator: [slash])) }

  private static func text(_ path: [[UInt8]]) -> String { FileName.text(name(path)) }
}

extension Directory {
  /// Visits the entries in byte order of names, and those of the directories that the visitor enters.
  ///
  /// It follows no links.
  ///
  /// - Parameters:
  ///   - names: the path from the first directory to this one.
  ///   - visit: gets an entry's directory, the entry, and its path from the first directory; returns whether to enter
  ///     it if it is a directory.
  ///   - unopened: gets the path of each inner directory that cannot be opened or listed. The walk goes on.
  /// - Throws: errors of listing this directory, those of the closures, and an interruption.
  borrowing func walk(
    below names: [[UInt8]] = [],
    _ visit: (_ folder: borrowing Directory, _ entry: DirectoryEntry, _ path: [[UInt8]]) throws -> Bool,
    unopened: (_ path: [[UInt8]], SystemError) throws -> Void
  ) throws {
    try walk(list(), below: names, visit, unopened: unopened)
  }

  private borrowing func walk(
    _ entries: [DirectoryEntry], below names: [[UInt8]],
    _ visit: (_ folder: borrowing Directory, _ entry: DirectoryEntry, _ path: [[UInt8]]) throws -> Bool,
    unopened: (_ path: [[UInt8]], SystemError) throws -> Void
  ) throws {
    for entry in entries {
      try Interrupted.check()
      let path = names + [entry.name]
      guard try visit(self, entry, path), entry.kind == .directory else { continue }
      let inner: Directory
      do throws(SystemError) {
        inner = try openDirectory(entry.name)
      } catch {
        try unopened(path, error)
        continue
      }
      let innerEntries: [DirectoryEntry]
      do throws(SystemError) {
        innerEntries = try inner.list()
      } catch {
        try unopened(path, error)
        continue
      }
      try inner.walk(innerEntries, below: path, visit, unopened: unopened)
    }
  }

  /// Returns the names of the regular files in byte order.
  borrowing func fileNames() throws(SystemError) -> [[UInt8]] {
    try list().filter { $0.kind == .file }.map(\.name)
  }
}

/// The targets' directories, for walks that may encounter them in a source.
///
/// An archive that included earlier ones would double in size every night. Other files in a target's
/// directory are included.
struct TargetFolders {
  private let folders: [FileStatus]

  /// The targets' folders that are there.
  init(_ paths: [String]) { folders = paths.compactMap { try? Directory.open($0).status() } }

  /// Starts excluding the archives of a directory.
  func archives(in folder: borrowing Directory) -> LeftOutArchives {
    guard !folders.isEmpty, let status = try? folder.status() else { return LeftOutArchives(isTarget: false) }
    return LeftOutArchives(
      isTarget: folders.contains { $0.device == status.device && $0.inode == status.inode })
  }
}

/// The archives excluded from one directory of a source.
struct LeftOutArchives {
  let isTarget: Bool
  private var count = 0

  init(isTarget: Bool) { self.isTarget = isTarget }

  /// Whether a file is excluded by its name.
  mutating func leavesOut(_ name: String?) -> Bool {
    guard isTarget, let name, ArchiveName.isOwnFile(named: name) else { return false }
    count += 1
    return true
  }

  /// Reports the excluded archives once.
  ///
  /// They do not count as missing.
  func report(in folder: String, _ records: inout ImportedRecords) {
    guard count > 0 else { return }
    let files = count == 1 ? "1 file of archives is" : "\(count) files of archives are"
    records.exclude(
      folder.isEmpty ? "archives" : folder,
      "this folder is a target inside the source: \(files) left out, because an archive holds no earlier ones",
      loss: .none)
  }
}
