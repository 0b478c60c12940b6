internal import FuekiArchive
internal import FuekiWallet

extension OpenArchive {
  /// Reads everything that is open, and checks each record of the known sections like a restore.
  ///
  /// - Parameter progress: called for each part. An error that it throws ends the work.
  /// - Throws: ``ArchiveError`` for the first fault, ``CryptoError`` or ``SecretRecordError`` if memory cannot be
  ///   allocated, and errors from `progress`.
  func checkContentsAndRecords(progress: () throws -> Void) throws {
    try checkContents(judging: RecordCheck.judge) { _ in try progress() }
  }

  /// Does the same for the base of a differential archive that was checked itself, and for their combination.
  func checkJoinAndRecords(progress: () throws -> Void) throws {
    try checkJoin(judging: RecordCheck.judge) { _ in try progress() }
  }
}

extension UnjoinedArchive {
  /// As ``OpenArchive/checkContentsAndRecords(progress:)``, of what this file itself holds, and puts each original file
  /// together as it is put together when the files are put back.
  func checkContentsAndRecords(progress: () throws -> Void) throws {
    let files = FileAssembly()
    let judge = RecordCheck.judge
    try checkContents { id, message in
      try judge(id, message)
      if let section = Section(rawValue: id) { files.note(message, of: section) }
    } progress: { _ in
      try progress()
    }
    try files.check()
  }
}

extension RecordCheck {
  /// Judges each record of the sections that this version knows as a restore does.
  fileprivate static var judge: RecordJudge {
    let checks = Dictionary(uniqueKeysWithValues: Section.allCases.map { ($0.rawValue, RecordCheck($0)) })
    return { id, message in
      guard let check = checks[id] else { return }
      guard try check.accepts(message) else { throw ArchiveError.forged(.records(section: id)) }
    }
  }
}
