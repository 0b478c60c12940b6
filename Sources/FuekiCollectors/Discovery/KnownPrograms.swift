extension WalletProgram {
  /// Programs with wallets that are found, and kept without being read.
  static let unread: [WalletProgram] =
    [
      WalletProgram(
        id: "bdk", title: "BDK command line", folders: [".bdk-bitcoin"],
        places: [.one(".bdk-bitcoin", .nothingSecret, .noSeed)]),
      WalletProgram(
        id: "joinmarket", title: "JoinMarket", folders: [".joinmarket"],
        places: [.folder(".joinmarket/wallets", of: ["*.jmdat"], .always)]),
      WalletProgram(
        id: "armory", title: "Armory", folders: [".armory"],
        places: [.folder(".armory", of: ["*.wallet", "*.lmdb"], .hidden)]),
      WalletProgram(
        id: "exodus", title: "Exodus", folders: [".config/Exodus"], flatpaks: ["io.exodus.Exodus"],
        places: [.one(".config/Exodus/exodus.wallet", .always, .closeFirst)]),
      WalletProgram(
        id: "zcashd", title: "zcashd", group: .node, folders: [".zcash"], locks: [.held(".zcash/.lock")],
        places: [.one(".zcash/wallet.dat", .hidden, .laterKeys)]),
      WalletProgram(
        id: "eclair", title: "Eclair", group: .lightning, folders: [".eclair"],
        places: [
          .folder(".eclair", of: ["*_seed.dat", "*/*_seed.dat"], .never, [.clearSecret]),
          .folder(".eclair", of: ["*/eclair.sqlite"], .nothingSecret, [.oldChannels]),
        ],
        beside: [".eclair/*/*.sqlite"]),
      WalletProgram(
        id: "phoenixd", title: "phoenixd", group: .lightning, folders: [".phoenix"],
        places: [.one(".phoenix/seed.dat", .never, .clearSecret)],
        beside: [".phoenix/*.db"]),
      WalletProgram(
        id: "coldcard-export", title: "Coldcard backup", places: [.export("backup*.7z", .always)]),
      WalletProgram(
        id: "keepass", title: "KeePass",
        places: ["*.kdbx", "*.kdb"].map { .export($0, .always, .laterKeys) }),
      WalletProgram(
        id: "ssh", title: "SSH keys", folders: [".ssh"], places: [.folder(".ssh", of: ["id_*"], .hidden)]),
    ] + unreadExtensions

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

/// A browser of Chromium's family, and its directories below the home.
private struct Browser {
  /// The directory that has one directory per profile.
  let folder: String
  var flatpaks: [String] = []
  var snaps: [String] = []
  /// Whether the first profile is the directory itself.
  var isFlat = false

  private var folders: [String] { WalletProgram.paths(of: folder, flatpaks: flatpaks, snaps: snaps) }
  /// The directories of profiles.
  var profiles: [String] { folders.map { "\($0)/*" } + (isFlat ? folders : []) }
  var locks: [ProgramLock] { folders.map { .exists("\($0)/SingletonLock") } }

  static let all = [
    Browser(folder: ".config/google-chrome", flatpaks: ["com.google.Chrome"]),
    Browser(folder: ".config/google-chrome-beta"),
    Browser(folder: ".config/google-chrome-unstable", flatpaks: ["com.google.ChromeDev"]),
    Browser(
      folder: ".config/chromium",
      flatpaks: ["org.chromium.Chromium", "io.github.ungoogled_software.ungoogled_chromium"]),
    Browser(folder: "snap/chromium/common/chromium"),
    Browser(folder: ".config/BraveSoftware/Brave-Browser", flatpaks: ["com.brave.Browser"], snaps: ["brave"]),
    Browser(folder: ".config/BraveSoftware/Brave-Browser-Beta"),
    Browser(folder: ".config/BraveSoftware/Brave-Browser-Nightly"),
    Browser(folder: ".config/microsoft-edge", flatpaks: ["com.microsoft.Edge"]),
    Browser(folder: ".config/microsoft-edge-beta"),
    Browser(folder: ".config/microsoft-edge-dev", flatpaks: ["com.microsoft.EdgeDev"]),
    Browser(folder: ".config/vivaldi", flatpaks: ["com.vivaldi.Vivaldi"]),
    Browser(folder: ".config/vivaldi-snapshot"),
    Browser(folder: ".config/opera", flatpaks: ["com.opera.Opera"], snaps: ["opera"], isFlat: true),
    Browser(folder: ".config/opera/_side_profiles", flatpaks: ["com.opera.Opera"], snaps: ["opera"]),
    Browser(folder: ".config/opera-beta", snaps: ["opera-beta"], isFlat: true),
    Browser(folder: ".config/opera-developer", snaps: ["opera-developer"], isFlat: true),
  ]
}

extension WalletProgram {
  /// The directories of Firefox's profiles, and of those of its relatives, newer ones first.
  private static let firefoxProfiles = [
    ".config/mozilla/firefox", ".mozilla/firefox", ".config/librewolf/librewolf", ".librewolf",
  ]

  /// A wallet in browsers, by its identifiers in their stores.
  static func browserExtension(
    _ id: String, _ title: String, kind: String = FileCollector.kind, _ identifiers: [String]
  ) -> WalletProgram {
    WalletProgram(
      id: id, title: title, group: .browser, locks: Browser.all.flatMap(\.locks),
      places: identifiers.flatMap { identifier in
        Browser.all.flatMap(\.profiles).map {
          .one(
            "\($0)/Local Extension Settings/\(identifier)", kind: kind, .always, .laterKeys, .closeFirst)
        }
      })
  }

  /// Extensions whose data is kept without being read.
  static let unreadExtensions: [WalletProgram] = [
    browserExtension("phantom", "Phantom", ["bfnaelmomeimhlpmgjnjophhpkkoljpa"]),
    browserExtension("rabby", "Rabby", ["acmacodkjbdgmoleebolmdjonilkdbch"]),
    browserExtension("coinbase-wallet", "Coinbase Wallet", ["hnfanknocfeofbddgcijnmhnfnkdnaad"]),
    browserExtension("trust-wallet", "Trust Wallet", ["egjidjbpglichdcondbcbdnbeeppgdph"]),
    browserExtension("keplr", "Keplr", ["dmkamcknogkgcdfhhbddcghachkejeap"]),
    browserExtension("tronlink", "TronLink", ["ibnejdfjmmkpcnlpebklmnkoeoihofec"]),
    browserExtension("binance-wallet", "Binance Wallet", ["fhbohimaelbohpjbbldcngcnapndodjp"]),
    browserExtension("ronin", "Ronin Wallet", ["fnjhmkhhmkbjkkabndcnnogagogbneec"]),
    // In Firefox each extension has a random name per machine, so the wallet cannot be identified.
    WalletProgram(
      id: "firefox-extensions", title: "Extensions of Firefox (MetaMask may be one)", group: .browser,
      flatpaks: ["org.mozilla.firefox", "io.gitlab.librewolf-community"], snaps: ["firefox"],
      locks: firefoxProfiles.map { .exists("\($0)/*/lock") },
      places: firefoxProfiles.map {
        .folder("\($0)/*/storage/default", of: ["moz-extension+++*"], .hidden, [.laterKeys, .closeFirst])
      }),
  ]
}
