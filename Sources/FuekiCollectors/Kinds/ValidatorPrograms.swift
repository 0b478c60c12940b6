extension WalletProgram {
  /// Ethereum validators: EIP-2335 keystores and slashing protection records.
  static let validators: [WalletProgram] = [
    WalletProgram(
      id: "lighthouse", title: "Lighthouse", group: .validator, folders: [".lighthouse"],
      locks: [.held(".lighthouse/*/validators/slashing_protection.sqlite")],
      places: [
        .folder(
          ".lighthouse/*/validators", of: ["0x*/*keystore*.json"], kind: EIP2335Collector.kind, .always,
          [.signsTwice]),
        .folder(".lighthouse/*/secrets", of: ["0x*"], .never, [.clearSecret, .signsTwice]),
        .one(
          ".lighthouse/*/validators/slashing_protection.sqlite", kind: EIP3076Collector.kind, .nothingSecret,
          .oldRecord),
      ],
      beside: [".lighthouse/*/wallets/*/*"]),
    WalletProgram(
      id: "teku", title: "Teku", group: .validator, folders: [".local/share/teku"],
      places: [
        .folder(
          ".local/share/teku/validator", of: ["key-manager/local/*.json", "keys/*.json"],
          kind: EIP2335Collector.kind, .always,
          [.signsTwice]),
        .folder(
          ".local/share/teku/validator/slashprotection", of: ["*.yml"], kind: EIP3076Collector.kind,
          .nothingSecret, [.oldRecord]),
      ],
      beside: [
        ".local/share/teku/validator/*passwords/*.txt", ".local/share/teku/validator/*/*passwords/*.txt",
      ]),
    WalletProgram(
      id: "prysm", title: "Prysm", group: .validator, folders: [".eth2validators", ".eth2"],
      locks: [.held(".eth2validators/prysm-wallet-v2/direct/validator.db"), .held(".eth2/validator.db")],
      places: [
        .folder(
          ".eth2validators/prysm-wallet-v2",
          of: [
            "direct/accounts/*.json", "direct/keystores/*.json",
            "derived/*.json",
          ], kind: EIP2335Collector.kind, .always, [.signsTwice]),
        .one(".eth2validators/prysm-wallet-v2/direct/validator.db", .nothingSecret, .oldRecord),
        .one(".eth2/validator.db", .nothingSecret, .oldRecord),
      ],
      beside: [".eth2validators/**/*.json", ".eth2validators/**/validator.db"]),
    WalletProgram(
      id: "nimbus", title: "Nimbus", group: .validator, folders: ["nimbus-eth2"],
      places: [
        .folder(
          "nimbus-eth2/build/data/*/validators", of: ["0x*/keystore.json"], kind: EIP2335Collector.kind,
          .always, [.signsTwice]),
        .folder("nimbus-eth2/build/data/*/secrets", of: ["0x*"], .never, [.clearSecret, .signsTwice]),
        .one(
          "nimbus-eth2/build/data/*/validators/slashing_protection.sqlite3", kind: EIP3076Collector.kind,
          .nothingSecret, .oldRecord),
      ]),
    WalletProgram(
      id: "lodestar", title: "Lodestar", group: .validator, folders: [".local/share/lodestar"],
      places: [
        .folder(
          ".local/share/lodestar/*/keystores", of: ["0x*/*.json"], kind: EIP2335Collector.kind, .always,
          [.signsTwice]),
        .folder(".local/share/lodestar/*/secrets", of: ["0x*"], .never, [.clearSecret, .signsTwice]),
        .one(".local/share/lodestar/*/validator-db", .nothingSecret, .oldRecord, .closeFirst),
      ]),
    WalletProgram(
      id: "deposit-cli", title: "staking-deposit-cli", group: .validator,
      places: [
        .folder(
          "validator_keys", of: ["keystore-m_*.json"], kind: EIP2335Collector.kind, .always, [.signsTwice]),
        .folder(
          "*/validator_keys", of: ["keystore-m_*.json"], kind: EIP2335Collector.kind, .always, [.signsTwice]),
      ]),
    WalletProgram(
      id: "validator-export", title: "Validator keys",
      places: [
        .export("keystore-m_*.json", kind: EIP2335Collector.kind, .always, .signsTwice),
        .export("slashing*protection*.json", kind: EIP3076Collector.kind, .nothingSecret, .oldRecord),
        .export("slashing*export*.json", kind: EIP3076Collector.kind, .nothingSecret, .oldRecord),
      ]),
  ]
}
