internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Collects vault shares exported by the Vultisig apps: `.vult`, `.bak`, the older `.dat`, and ZIP files of
/// several.
///
/// Only the exported file can recover a vault. It is kept unchanged. Its key shares are compared with the
/// vault's keys, so that a wrong export is detected while another device still exists.
enum VultisigCollector {
  static let kind = "vultisig"

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the password.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let password = AskedPassword(source.passphrase, work: request.work)
    return try source.shares("vault share of Vultisig").read(request) { bytes, name in
      try VultisigFile.content(bytes, name: name, password: password)
    }
  }
}

extension CollectorKind {
  static let vultisig = CollectorKind(
    VultisigCollector.kind, "vault shares of the Vultisig apps (.vult, .bak, ZIP)", reach: .folder,
    guide: .keyShares,
    programs: [
      WalletProgram(
        id: "vultisig", title: "Vultisig", folders: [".vultisig"],
        places: [
          .one("vultisig.db", .hidden, .oldShares, .closeFirst),
          .folder(".vultisig", of: ["vault:*.json"], .hidden, [.oldShares]),
        ]),
      WalletProgram(
        id: "vultisig-export", title: "Vultisig vault share",
        places: [
          .export("*-part*of*.vult", kind: "vultisig", .hidden, .oldShares),
          .export("*-share*of*.vult", kind: "vultisig", .hidden, .oldShares),
          .export("*_vault_*.bak", kind: "vultisig", .hidden, .oldShares),
          .export("vultisig_backups_*.zip", kind: "vultisig", .hidden, .oldShares),
        ]),
    ],
    fileNames: WalletNames(possible: ["*.vult", "*.bak"]), hasKeyShares: true,
    recognises: { VultisigFile.isLikely($0) }, read: VultisigCollector.read)
}
