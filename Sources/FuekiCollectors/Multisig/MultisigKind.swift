extension CollectorKind {
  /// Multisig coordinators' files, and descriptors.
  static let multisig = CollectorKind(
    MultisigCollector.kind,
    "files of coordinators (BSMS, Coldcard, Caravan, Specter, Liana, .bed), and descriptors", reach: .tree,
    guide: .multisig,
    programs: [
      WalletProgram(
        id: "specter", title: "Specter Desktop", folders: [".specter"],
        places: [
          .folder(
            ".specter/wallets", of: ["*/*.json"], kind: MultisigCollector.kind, .nothingSecret, [.noSeed]),
          .folder(".specter/devices", of: ["*.json"], .hidden, [.noSeed]),
        ],
        beside: [".specter/wallets/*/*.json", ".specter/wallets/*/*.csv"]),
      WalletProgram(
        id: "liana", title: "Liana", folders: [".liana"],
        places: [
          .folder(".liana", of: ["*/lianad.sqlite3", "*/data/*/lianad.sqlite3"], .nothingSecret, [.noSeed]),
          .folder(
            ".liana", of: ["*/mnemonics/mnemonic-*.txt", "*/data/*/mnemonics/mnemonic-*.txt"], .never,
            [.clearSecret]),
        ]),
      WalletProgram(
        id: "coordinator-export", title: "Multisig coordinator file",
        places: [
          .export("*.bsms", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("*bsms*.txt", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("*caravan*.json", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("liana-*.json", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
          .export("*.bed", kind: MultisigCollector.kind, .always, .noSeed),
        ]),
    ],
    fileNames: WalletNames(
      certain: ["*.bsms", "*.bed", "*bsms*.txt", "*caravan*.json", "liana-*.json"], possible: ["*.json"]),
    limit: .max, what: "coordinator's file", recognises: { MultisigCollector.isLikely($0) },
    look: MultisigCollector.look)
}
