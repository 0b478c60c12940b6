internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// Files that should be wallets but have lost their contents: empty, or with zeros at the start.
///
/// A power failure or a failing disk leaves such files. They are kept unchanged and reported as faulty, so
/// that a lost wallet is never mistaken for a directory without one.
struct DestroyedFiles {
  private static let sectorByteCount = 512

  let kind: CollectorKind
  let request: CollectionRequest

  /// Keeps a file if it is destroyed.
  ///
  /// - Parameters:
  ///   - found: the file.
  ///   - path: the source's path.
  ///   - isNamed: whether the user named the file itself, so that its name does not matter.
  ///   - records: receives the file and its fault.
  /// - Returns: whether it is destroyed.
  /// - Throws: ``Interrupted`` after a signal.
  func keep(
    _ found: borrowing FoundFile, of path: String, isNamed: Bool, in records: inout ImportedRecords
  ) throws(Interrupted) -> Bool {
    let name = FileName.text(found.name)
    guard request.isForBackup, isNamed || kind.fileNames.mayBeWallet(PathParts(name).name),
      Self.isDestroyed(found)
    else { return false }
    records.findings.append(
      WalletFinding(
        kind: kind.name, name: name, .faulty(found.status.size == 0 ? .length : .malformed), isInClear: true))
    guard records.leaves(name, in: .secretFiles, request) else { return true }
    // The latest changes may still be in its database's logs.
    try records.stream(
      found, TakenFile(copy: nil), FileNature(isSecret: true, format: ""), source: kind.name,
      isDestroyed: true, from: "\(kind.name):\(path)", request)
    return true
  }

  private static func isDestroyed(_ found: borrowing FoundFile) -> Bool {
    guard found.status.size > 0 else { return true }
    let beginning = found.beginning(sectorByteCount)
    return !beginning.isEmpty && beginning.allSatisfy { $0 == 0 }
  }
}
