internal import FuekiArchive
internal import FuekiWallet

extension OpenArchive {
  /// Reads everything that is open, and judges each record of the sections that this version knows as a restore does.
  ///
  /// - Parameter progress: is called for each part; what it throws ends the work.
  /// - Throws: ``ArchiveError`` for the first thing that does not hold, ``CryptoError`` or ``SecretRecordError`` where
  ///   memory cannot be had, and what `progress` throws.
  func checkContentsAndRecords(progress: () throws -> Void) throws {
    let checks = Dictionary(uniqueKeysWithValues: Section.allCases.map { ($0.rawValue, RecordCheck($0)) })
    try checkContents { id, message in
      guard let check = checks[id] else { return }
      guard try check.accepts(message) else { throw ArchiveError.forged(.records(section: id)) }
    } progress: { _ in
      try progress()
    }
  }
}
