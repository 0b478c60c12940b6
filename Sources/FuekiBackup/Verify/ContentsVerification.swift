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
    // An array, because a dictionary's lookup for each of a million records takes longer than some checks.
    let count = (Section.allCases.map(\.rawValue).max() ?? 0) + 1
    let checks = (0..<count).map { Section(rawValue: $0).map { RecordCheck($0) } }
    return { id, message in
      guard id < checks.count, let check = checks[Int(id)] else { return }
      guard try check.accepts(message) else { throw ArchiveError.forged(.records(section: id)) }
    }
  }
}
