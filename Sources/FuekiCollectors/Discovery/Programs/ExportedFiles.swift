extension WalletProgram {
  /// Files saved from programs and phones, by unambiguous names.
  static let exportedFiles: [WalletProgram] = [
    WalletProgram(
      id: "vultisig-export", title: "Vultisig vault share",
      places: [
        .export("*-part*of*.vult", kind: "vultisig", .hidden, .oldShares),
        .export("*-share*of*.vult", kind: "vultisig", .hidden, .oldShares),
        .export("*_vault_*.bak", kind: "vultisig", .hidden, .oldShares),
        .export("vultisig_backups_*.zip", kind: "vultisig", .hidden, .oldShares),
      ]),
    WalletProgram(
      id: "validator-export", title: "Validator keys",
      places: [
        .export("keystore-m_*.json", kind: EIP2335Collector.kind, .always, .signsTwice),
        .export("slashing*protection*.json", kind: EIP3076Collector.kind, .nothingSecret, .oldRecord),
        .export("slashing*export*.json", kind: EIP3076Collector.kind, .nothingSecret, .oldRecord),
      ]),
    WalletProgram(
      id: "keystore-export", title: "Ethereum keystore",
      places: [.export("UTC--*", kind: "keystore", .always)]),
    WalletProgram(
      id: "lnd-export", title: "LND channel backup",
      places: [.export("channel*.backup", kind: LNDCollector.kind, .always, .closesChannels)]),
    WalletProgram(
      id: "core-export", title: "Bitcoin Core wallet",
      places: [.export("wallet*.dat", kind: BitcoinCoreCollector.kind, .hidden, .laterKeys)]),
    WalletProgram(
      id: "coordinator-export", title: "Multisig coordinator file",
      places: [
        .export("*.bsms", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
        .export("*bsms*.txt", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
        .export("*caravan*.json", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
        .export("liana-*.json", kind: MultisigCollector.kind, .nothingSecret, .noSeed),
        .export("*.bed", kind: MultisigCollector.kind, .always, .noSeed),
      ]),
    WalletProgram(
      id: "coldcard-export", title: "Coldcard backup", places: [.export("backup*.7z", .always)]),
    WalletProgram(
      id: "labels-export", title: "Labels (BIP-329)",
      places: [
        .export("*bip329*.jsonl", kind: "bip329", .nothingSecret, .noSeed),
        .export("*labels*.jsonl", kind: "bip329", .nothingSecret, .noSeed),
      ]),
    WalletProgram(
      id: "sygma-export", title: "Sygma key share",
      places: [.export("*.keyshare", kind: "multi-party-sig", .never, .clearSecret, .oldShares)]),
    WalletProgram(
      id: "frost-export", title: "FROST key package",
      places: [
        .export("key-package-*.json", kind: "frost", .never, .clearSecret, .oldShares),
        .export("public-key-package.json", kind: "frost", .nothingSecret, .noSeed),
      ]),
    WalletProgram(
      id: "fireblocks-export", title: "Fireblocks recovery kit",
      places: [.export("*ireblocks*.zip", kind: "fireblocks", .always)]),
    WalletProgram(
      id: "iofinnet-export", title: "io.finnet vault backup",
      places: [
        .export("io.*vault*.json", kind: "io.finnet", .always, .oldShares),
        .export("iofinnet*.json", kind: "io.finnet", .always, .oldShares),
      ]),
    WalletProgram(
      id: "ownd-export", title: "OWND wallet backup",
      places: [.export("*ownd*.zip", kind: "ownd", .never, .clearSecret)]),
  ]
}
