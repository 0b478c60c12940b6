internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// Files that ask for too much work: they are kept as they are, without being read, and reported.
struct UnreadFiles {
  /// The collector's kind.
  let kind: String
  /// The source's path.
  let path: String
  let request: CollectionRequest

  /// Whether an error of a reader leaves the file to be kept unread: a backup loses no file for its size.
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
    let name = found.nameText
    let section = nature.isSecret ? Section.secretFiles : .files
    guard request.selection.contains(section) else {
      return records.exclude(name, "\(section.name) are not asked for", loss: .requested)
    }
    guard !nature.isSecret || request.includesPrivateKeys else {
      return records.exclude(
        name, "the file may hold secrets in the clear, and leaves \(request.condition)",
        loss: request.secretsAreUnwanted ? .requested : .possible)
    }
    try records.stream(
      found, TakenFile(copy: nil), nature, source: kind, from: "\(kind):\(path)", request)
  }

  /// Keeps every file of the source.
  ///
  /// - Parameter reach: which of a folder's files the source has.
  /// - Returns: the files, and a finding for each.
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  func keepAll(_ reach: SourceReach) throws -> ImportedRecords {
    var records = ImportedRecords()
    var walk = FileWalk(path: path, targets: TargetFolders(request.targets))
    if reach != .tree { walk.isFlat = true }
    try walk.forEach(into: &records) { found, records in try keep(found, in: &records) }
    return records
  }

  private func report(_ found: borrowing FoundFile, isInClear: Bool, in records: inout ImportedRecords) {
    records.findings.append(
      WalletFinding(kind: kind, name: found.nameText, .notProved(.workLimit), isInClear: isInClear))
  }
}
