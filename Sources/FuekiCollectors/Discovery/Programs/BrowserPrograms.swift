extension WalletProgram {
  /// A wallet extension, by its identifiers in the browsers' stores.
  private struct Extension {
    let id: String
    let title: String
    let identifiers: [String]
  }

  private static let extensions = [
    Extension(
      id: "metamask", title: "MetaMask",
      identifiers: ["nkbihfbeogaeaoehlefnkodbefgpgknn", "ejbalbakoplchlghecdalmeeeajnimhm"]),
    Extension(id: "phantom", title: "Phantom", identifiers: ["bfnaelmomeimhlpmgjnjophhpkkoljpa"]),
    Extension(id: "rabby", title: "Rabby", identifiers: ["acmacodkjbdgmoleebolmdjonilkdbch"]),
    Extension(
      id: "coinbase-wallet", title: "Coinbase Wallet", identifiers: ["hnfanknocfeofbddgcijnmhnfnkdnaad"]),
    Extension(id: "trust-wallet", title: "Trust Wallet", identifiers: ["egjidjbpglichdcondbcbdnbeeppgdph"]),
    Extension(id: "keplr", title: "Keplr", identifiers: ["dmkamcknogkgcdfhhbddcghachkejeap"]),
    Extension(id: "tronlink", title: "TronLink", identifiers: ["ibnejdfjmmkpcnlpebklmnkoeoihofec"]),
    Extension(
      id: "binance-wallet", title: "Binance Wallet", identifiers: ["fhbohimaelbohpjbbldcngcnapndodjp"]),
    Extension(id: "ronin", title: "Ronin Wallet", identifiers: ["fnjhmkhhmkbjkkabndcnnogagogbneec"]),
  ]

  /// The profile directories of Chromium-based browsers.
  private static let profiles = [
    ".config/google-chrome", ".config/google-chrome-beta", ".config/chromium",
    ".config/BraveSoftware/Brave-Browser", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
    ".config/opera/_side_profiles",
    "snap/chromium/common/chromium",
  ]

  /// The browsers whose first profile has no directory of its own.
  private static let flatProfiles = [".config/opera", ".config/opera-beta", ".config/opera-developer"]

  private static let flatpaks = [
    "com.google.Chrome", "org.chromium.Chromium", "com.brave.Browser", "com.microsoft.Edge",
    "com.vivaldi.Vivaldi",
    "com.opera.Opera", "org.mozilla.firefox",
  ]

  /// Wallets in browsers.
  static let browserPrograms: [WalletProgram] =
    extensions.map { wallet in
      WalletProgram(
        id: wallet.id, title: wallet.title, flatpaks: flatpaks, snaps: ["brave"],
        locks: (profiles + flatProfiles.dropFirst()).map { .exists("\($0)/SingletonLock") },
        places: wallet.identifiers.flatMap { identifier in
          (profiles.map { "\($0)/*" } + flatProfiles).map {
            .one(
              "\($0)/Local Extension Settings/\(identifier)",
              kind: wallet.id == MetaMaskCollector.kind ? wallet.id : FileCollector.kind, .always, .laterKeys,
              .closeFirst)
          }
        })
    } + [
      // In Firefox each extension has a random name per machine, so the wallet cannot be identified.
      WalletProgram(
        id: "firefox-extensions", title: "Extensions of Firefox (MetaMask may be one)",
        flatpaks: flatpaks,
        locks: [.exists(".mozilla/firefox/*/lock"), .exists("snap/firefox/common/.mozilla/firefox/*/lock")],
        places: [
          .folder(
            ".mozilla/firefox/*/storage/default", of: ["moz-extension+++*"], .hidden,
            [.laterKeys, .closeFirst]
          ),
          .folder(
            "snap/firefox/common/.mozilla/firefox/*/storage/default", of: ["moz-extension+++*"], .hidden,
            [.laterKeys, .closeFirst]),
        ])
    ]
}
