internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet

extension ImportedRecords {
  /// The limit of attempts to read a database that is being written.
  private static let attempts = 8

  /// Adds a file that is read in parts when the archive is written, with the files that belong to it.
  ///
  /// A database and its logs must be consistent: if one of them changes meanwhile, all are read again. An
  /// unreadable file is excluded.
  ///
  /// - Returns: its id; nil if it was left out.
  @discardableResult
  mutating func stream(
    _ found: borrowing FoundFile, _ taken: TakenFile, _ file: KeptFile, isDestroyed: Bool = false,
    _ request: CollectionRequest
  ) throws(Interrupted) -> [UInt8]? {
    func all(_ found: borrowing FoundFile) -> [DatabasePart] {
      taken.hasParts ? DatabaseParts.all(of: found, isDestroyed: isDestroyed) : []
    }
    func parts(_ found: borrowing FoundFile) -> [DatabasePart] {
      all(found).filter { $0.sparseReason == nil }
    }
    func streamed(_ found: borrowing FoundFile) throws -> StreamedFile? {
      try StreamedFile(found, taken.copy, file, request.changes)
    }
    if let reason = found.sparseReason {
      exclude(found.nameText, reason, loss: .possible)
      return nil
    }
    for part in all(found) {
      if let reason = part.sparseReason { exclude(FileName.text(part.name), reason, loss: .possible) }
    }
    do {
      let known = parts(found)
      guard !known.isEmpty else {
        if let stream = try streamed(found) {
          streams.append(stream)
          return stream.id
        }
        exclude(found.nameText, "it was written while it was read", loss: .possible)
        return nil
      }
      let program = file.program ?? found.origin(program: nil).program
      for _ in 0..<Self.attempts {
        let again = try found.reopened()
        var group = DatabaseGroup(parts(again))
        guard let database = try streamed(again),
          try group.read({ part in
            let isSecret = try file.isSecret || DatabaseGroup.isSecret(part, request.work)
            var own = KeptFile(kind: file.source, collector: file.collector, isSecret: isSecret)
            own.program = program
            return try StreamedFile(part, nil, own, request.changes)
          }),
          try again.reopened().status == again.status,
          group.isUnchanged(parts(again))
        else { continue }
        streams.append(database)
        for part in group.files where leaves(FileName.text(part.name), in: part.stream.section, request) {
          streams.append(part.stream)
        }
        return database.id
      }
      exclude(found.nameText, "it was written while it was read", loss: .possible)
    } catch let error as Interrupted {
      throw error
    } catch let error as SystemError {
      exclude(found.nameText, error.sentence, loss: .possible)
    } catch {
      exclude(found.nameText, "it could not be read or copied", loss: .possible)
    }
    return nil
  }
}

/// The files of one database, while they are read.
private struct DatabaseGroup {
  let parts: [DatabasePart]
  private(set) var files: [(name: [UInt8], stream: StreamedFile)] = []
  private var statuses: [FileStatus] = []

  init(_ parts: [DatabasePart]) { self.parts = parts }

  /// Reads every part; false if one is missing or changes.
  mutating func read(_ stream: (borrowing FoundFile) throws -> StreamedFile?) throws -> Bool {
    for part in parts {
      guard let file = try? File.openRegular(part.path, symbolicLinks: .refuse) else { return false }
      let status = try file.status()
      let found = FoundFile(
        file: file, name: part.name, status: status, path: part.path, place: part.place)
      statuses.append(found.status)
      guard let read = try stream(found) else { return false }
      files.append((part.name, read))
    }
    return true
  }

  /// Whether the parts are the same and none was written since it was read.
  func isUnchanged(_ now: [DatabasePart]) -> Bool {
    guard now.map(\.path) == parts.map(\.path) else { return false }
    return zip(parts, statuses).allSatisfy { part, status in
      guard let file = try? File.openRegular(part.path, symbolicLinks: .refuse),
        let present = try? file.status()
      else { return false }
      return present == status
    }
  }

  /// Whether a part may contain private keys that its database has since encrypted or removed.
  static func isSecret(_ part: borrowing FoundFile, _ work: WorkBudget) throws -> Bool {
    try ClearKeys.are(in: CopiedFile(File.openRegular(part.path, symbolicLinks: .refuse)), work: work)
  }
}

extension DatabasePart {
  /// Why an archive cannot contain the part; nil if it can.
  fileprivate var sparseReason: String? {
    guard let file = try? File.openRegular(path, symbolicLinks: .refuse), let status = try? file.status()
    else { return nil }
    return FoundFile(file: file, name: name, status: status, path: path, place: place).sparseReason
  }
}

extension FoundFile {
  /// Reopens the path, where a program may have put another file.
  fileprivate func reopened() throws -> FoundFile {
    let file = try File.openRegular(path)
    let status = try file.status()
    return FoundFile(file: file, name: name, status: status, path: path, place: place)
  }
}

/// A file that belongs to a database, with changes that the database file lacks.
struct DatabasePart {
  /// Its path.
  let path: [UInt8]
  /// Its name relative to the source's directory.
  let name: [UInt8]
  /// Its place for putting it back: next to the database's place, which may be a link.
  let place: [UInt8]
}

/// Finds the files that belong to a database.
///
/// SQLite keeps a rollback journal or a write-ahead log next to a database, and Berkeley DB keeps its logs in
/// a directory next to it. Both are next to the real file, not to a link.
enum DatabaseParts {
  private static let slash = UInt8(ascii: "/")
  private static let logFolder = Array("database".utf8)
  private static let entryLimit = 1000

  /// Whether a file belongs to a database next to it, with which it is backed up.
  static func isPart(_ path: [UInt8]) -> Bool {
    if let database = PassingFiles.database(ofLog: path) {
      return isRegular(database)
    }
    guard let folder = PassingFiles.folder(ofLog: path),
      let directory = try? Directory.open(PathText.text(folder)),
      let entries = try? directory.list(), entries.count <= entryLimit
    else { return false }
    return entries.contains { entry in
      guard entry.kind == .file, let file = try? directory.openFile(entry.name) else { return false }
      return isBerkeley(file)
    }
  }

  /// Finds the files that belong to a file.
  ///
  /// - Returns: the files in order; empty if the file is not a database, or is complete.
  static func all(of found: borrowing FoundFile, isDestroyed: Bool = false) -> [DatabasePart] {
    let real = found.realPath
    var parts: [DatabasePart] = []
    for ending in PassingFiles.endings where isRegular(real + ending) {
      parts.append(
        DatabasePart(path: real + ending, name: found.name + ending, place: found.placePath + ending))
    }
    guard isDestroyed || isBerkeley(found.file) else { return parts }
    // Normally there are none next to a link, unless the program was configured with the link.
    let folders = [folder(of: real), folder(of: found.path)].map { $0 + logFolder }
    let logs = folders.lazy.map { (folder: $0, names: names(in: $0)) }.first { !$0.names.isEmpty }
    for log in logs?.names ?? [] {
      parts.append(
        DatabasePart(
          path: (logs?.folder ?? []) + [slash] + log,
          name: folder(of: found.name) + logFolder + [slash] + log,
          place: folder(of: found.placePath) + logFolder + [slash] + log))
    }
    return parts
  }

  private static func isRegular(_ path: [UInt8]) -> Bool {
    (try? File.openRegular(path, symbolicLinks: .refuse)) != nil
  }

  private static func isBerkeley(_ file: borrowing File) -> Bool {
    let beginning = file.beginning(32)
    return LegacyWallet.isLikely(beginning.span)
  }

  /// Returns the names of Berkeley DB's logs in a directory, in order.
  private static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let entries = try? Directory.open(PathText.text(folder)).list() else { return [] }
    return Array(
      entries.lazy.filter { $0.kind == .file && PassingFiles.isLogName($0.name) }.map(\.name)
        .prefix(entryLimit))
  }

  /// Returns a path up to and including its last slash.
  private static func folder(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: slash).map { Array(path[...$0]) } ?? []
  }
}
