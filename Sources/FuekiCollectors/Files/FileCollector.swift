public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects any file, or a directory with all its contents, byte for byte and without parsing.
///
/// A file not known to be public or encrypted is treated as a secret.
public struct FileCollector: ForeignSource {
  static let kind = "file"

  private let path: String
  private let copying: FileCopying?

  /// Creates a source for a file or directory.
  ///
  /// - Parameters:
  ///   - path: the file or directory.
  ///   - copying: copies a file that its program may be writing; without it, files are read directly.
  public init(path: String, copying: FileCopying? = nil) {
    self.path = path
    self.copying = copying
  }

  /// The source's name in reports.
  public var name: String { "\(Self.kind):\(path)" }

  /// Finds the files.
  ///
  /// They are read in parts when they are written, with only a part in memory.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    var lacksSecrets = false
    var wholeCount = 0
    try FileWalk(path: path, targets: TargetFolders(request.targets)).forEach(into: &records) {
      found, records in
      let name = FileName.text(found.name)
      let nature = try FileNature(of: found)
      let section = nature.isSecret ? Section.secretFiles : .files
      guard records.leaves(name, in: section, request) else {
        if nature.isSecret, request.selection.contains(section) { lacksSecrets = true }
        return
      }
      guard let taken = records.taking(found, by: copying) else { return }
      let isIn = try records.stream(found, taken, nature, source: Self.kind, from: self.name, request)
      guard isIn else { return }
      if !taken.isDamaged {
        wholeCount += 1
      } else {
        records.findings.append(WalletFinding(kind: Self.kind, name: name, .faulty(.malformed)))
      }
    }
    if let finding = finding(wholeCount, lacksSecrets: lacksSecrets) {
      records.findings.append(finding)
    }
    return records
  }

  /// Returns one finding for all files of the path: they are kept without being parsed.
  private func finding(_ count: Int, lacksSecrets: Bool) -> WalletFinding? {
    guard count > 0 || lacksSecrets else { return nil }
    return WalletFinding(
      kind: Self.kind, name: FileName.text(PathParts(path).name.pathBytes),
      lacksSecrets ? .withoutSeed : .notProved(.notRead))
  }
}
