internal import FuekiBackup
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
