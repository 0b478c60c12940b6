internal import FuekiSystem
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
    fileNames: WalletNames(
      certain: ["*.vult", "*-part*of*.bak", "*-share*of*.bak", "*_vault_*.bak", "vultisig_backups_*.zip"],
      possible: ["*.bak"]),
    hasKeyShares: true, comparesEpochs: true, what: "vault share of Vultisig",
    recognises: { VultisigFile.isLikely($0) },
    look: { found, asked in
      Look(try VultisigFile.content(found.bytes(), name: found.nameText, password: asked.password), or: asked)
    })
}
