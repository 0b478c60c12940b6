internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// Files that ask for too much work, or whose reader failed: they are kept as they are, without being read, and reported.
struct UnreadFiles {
  /// The collector's kind.
  let kind: String
  /// The source's path.
  let path: String
  let request: CollectionRequest
  /// Why they are not read.
  var gap = WalletFinding.Gap.workLimit

  /// Whether a file is kept unread after a reader's error: a backup loses no file because of its size.
  static func takes(_ error: any Error, _ request: CollectionRequest) -> Bool {
    guard request.isForBackup else { return false }
    if error is WorkBudget.Exceeded { return true }
    if let error = error as? ForeignFileError, case .overLimit = error { return true }
    return false
  }

  /// Keeps a file.
  func keep(_ found: borrowing FoundFile, in records: inout ImportedRecords) throws {
    let nature = try FileNature(of: found)
    report(found, isInClear: nature.isSecret, in: &records)
    guard records.leaves(found.nameText, in: nature.isSecret ? .secretFiles : .files, request) else { return }
    let file = KeptFile(
      kind: kind, collector: "\(kind):\(path)", isSecret: nature.isSecret, format: nature.format)
    try records.stream(found, TakenFile(copy: nil), file, request)
  }

  /// Keeps every file of the source.
  ///
  /// - Parameter reach: the source's part of a directory's files.
  /// - Returns: the files, and a finding for each.
  /// - Throws: ``ForeignFileError``, or errors of the system.
  func keepAll(_ reach: SourceReach) throws -> ImportedRecords {
    var records = ImportedRecords()
    let walk = FileWalk(path: path, targets: TargetFolders(request.targets), isFlat: reach != .tree)
    try walk.forEach(into: &records) { found, records in try keep(found, in: &records) }
    return records
  }

  private func report(_ found: borrowing FoundFile, isInClear: Bool, in records: inout ImportedRecords) {
    records.findings.append(
      WalletFinding(kind: kind, name: found.nameText, .notProved(gap), isInClear: isInClear))
  }
}
