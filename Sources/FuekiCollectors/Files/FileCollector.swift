public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Any file, or a folder with all that is in it, kept byte for byte and not read.
///
/// What is not known to be public or encrypted may hold secrets in the clear, and is taken for one that does.
public struct FileCollector: ForeignSource {
  static let kind = "file"

  private let path: String
  private let copying: FileCopying?

  /// The file or folder that a person named.
  ///
  /// - Parameters:
  ///   - path: the file or folder.
  ///   - copying: what copies a file that its program may be writing; without it every file's own bytes are taken.
  public init(path: String, copying: FileCopying? = nil) {
    self.path = path
    self.copying = copying
  }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Finds the files, which are read part by part when they are written: however long they are, a part is in memory.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
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

  /// One for all files of the path: they are kept, and nothing is read in them.
  private func finding(_ count: Int, lacksSecrets: Bool) -> WalletFinding? {
    guard count > 0 || lacksSecrets else { return nil }
    return WalletFinding(
      kind: Self.kind, name: FileName.text(PathParts(path).name.pathBytes),
      lacksSecrets ? .withoutSeed : .notProved(.notRead))
  }
}
