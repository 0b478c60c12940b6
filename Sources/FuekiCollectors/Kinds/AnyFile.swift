internal import FuekiSources
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
    limit: .max, takesAnything: true, what: "file", recognises: { _ in false },
    together: FileCollector.together, look: FileCollector.look)
}

/// Any file, or a directory with all its contents, byte for byte and without parsing.
///
/// A file not known to be public or encrypted is treated as a secret.
enum FileCollector {
  static let kind = "file"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let nature = try FileNature(of: found)
    var kept = Kept(format: nature.format)
    kept.isSecret = nature.isSecret
    return .wallet(kept)
  }

  /// Makes one finding for all files of the path: they are kept without being parsed.
  static func together(_ files: inout [Kept], _ asked: Asked) {
    let isLacking = files.contains { file in
      file.isSecret && !asked.request.includesPrivateKeys && asked.request.selection.contains(.secretFiles)
    }
    guard isLacking || files.contains(where: { $0.isIn && $0.findings.isEmpty }) else { return }
    var all = Kept(format: "")
    all.records.findings = [
      asked.finding(
        FileName.text(PathParts(asked.path).name.pathBytes), isLacking ? .withoutSeed : .notProved(.notRead))
    ]
    files.append(all)
  }
}
