extension WalletProgram {
  /// Lightning nodes.
  ///
  /// Only channel data that is safe when old is backed up.
  static let lightningPrograms: [WalletProgram] = [
    WalletProgram(
      id: "lnd", title: "LND",
      locks: [.held(".lnd/data/graph/*/channel.db"), .held(".lnd/data/chain/*/*/wallet.db")],
      places: [
        .one(".lnd/data/chain/*/*/channel.backup", kind: LNDCollector.kind, .always, .closesChannels),
        .one(".lnd/data/chain/*/*/wallet.db", .always, .closeFirst),
        .one(
          "umbrel/app-data/lightning/data/lnd/data/chain/*/*/channel.backup", kind: LNDCollector.kind,
          .always,
          .closesChannels),
      ],
      beside: [
        ".lnd/data/chain/*/*/*.backup", ".lnd/data/chain/*/*/*.db", ".lnd/data/chain/*/*/*.sqlite",
        ".lnd/data/graph/*/*.db", ".lnd/data/graph/*/*.sqlite",
      ]),
    WalletProgram(
      id: "core-lightning", title: "Core Lightning",
      locks: [.held(".lightning/lightningd-*.pid"), .held(".lightning/*/lightningd-*.pid")],
      places: [
        .one(".lightning/*/hsm_secret", kind: CoreLightningCollector.kind, .coreLightning, .clearSecret),
        .one(".lightning/*/emergency.recover", kind: CoreLightningCollector.kind, .always, .closesChannels),
        .one(".lightning/*/lightningd.sqlite3", .nothingSecret, .oldChannels),
      ],
      beside: [
        ".lightning/hsm_secret*", ".lightning/emergency.recover*", ".lightning/*.sqlite3",
        ".lightning/*/hsm_secret*", ".lightning/*/emergency.recover*", ".lightning/*/*.sqlite3",
      ]),
    WalletProgram(
      id: "eclair", title: "Eclair",
      places: [
        .folder(".eclair", of: ["*_seed.dat", "*/*_seed.dat"], .never, [.clearSecret]),
        .folder(".eclair", of: ["*/eclair.sqlite"], .nothingSecret, [.oldChannels]),
      ],
      beside: [".eclair/*/*.sqlite"]),
    WalletProgram(
      id: "phoenixd", title: "phoenixd", places: [.one(".phoenix/seed.dat", .never, .clearSecret)],
      beside: [".phoenix/*.db"]),
  ]
}
