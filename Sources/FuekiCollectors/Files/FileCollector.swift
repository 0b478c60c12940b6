internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Any files, such as those of wallets that are only found.
  static let file = CollectorKind(
    FileCollector.kind, "any file, or a folder with all in it, as it is", reach: .tree, guide: .anyFile,
    programs: WalletProgram.unread,
    formats: [
      FileFormat("age", isPublic: { $0.begins(with: "age-encryption.org/") }),
      FileFormat("openpgp-message", isPublic: { $0.begins(with: "-----BEGIN PGP MESSAGE-----") }),
      FileFormat("eclair-db", hold: .channels, heldNames: ["eclair.sqlite"]),
    ],
    recognises: { _ in false }, read: FileCollector.read)
}

/// Collects any file, or a directory with all its contents, byte for byte and without parsing.
///
/// A file not known to be public or encrypted is treated as a secret.
enum FileCollector {
  static let kind = "file"

  /// Finds the files.
  ///
  /// They are read in parts when they are written, with only a part in memory.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    var lacksSecrets = false
    var wholeCount = 0
    try FileWalk(path: source.path, targets: TargetFolders(request.targets)).forEach(into: &records) {
      found, records in
      let name = FileName.text(found.name)
      let nature = try FileNature(of: found)
      let section = nature.isSecret ? Section.secretFiles : .files
      guard records.leaves(name, in: section, request) else {
        if nature.isSecret, request.selection.contains(section) { lacksSecrets = true }
        return
      }
      guard let taken = records.taking(found, by: source.copying) else { return }
      let isIn = try records.stream(found, taken, nature, source: Self.kind, from: source.name, request)
      guard isIn else { return }
      if !taken.isDamaged {
        wholeCount += 1
      } else {
        records.findings.append(WalletFinding(kind: Self.kind, name: name, .faulty(.malformed)))
      }
    }
    if let finding = finding(source.path, wholeCount, lacksSecrets: lacksSecrets) {
      records.findings.append(finding)
    }
    return records
  }

  /// Returns one finding for all files of the path: they are kept without being parsed.
  private static func finding(_ path: String, _ count: Int, lacksSecrets: Bool) -> WalletFinding? {
    guard count > 0 || lacksSecrets else { return nil }
    return WalletFinding(
      kind: Self.kind, name: FileName.text(PathParts(path).name.pathBytes),
      lacksSecrets ? .withoutSeed : .notProved(.notRead))
  }
}
