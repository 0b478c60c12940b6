extension WalletProgram {
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

  /// A wallet in browsers, by its identifiers in their stores.
  static func browserExtension(
    _ id: String, _ title: String, kind: String = FileCollector.kind, _ identifiers: [String]
  ) -> WalletProgram {
    WalletProgram(
      id: id, title: title, group: .browser, flatpaks: flatpaks, snaps: ["brave"],
      locks: (profiles + flatProfiles.dropFirst()).map { .exists("\($0)/SingletonLock") },
      places: identifiers.flatMap { identifier in
        (profiles.map { "\($0)/*" } + flatProfiles).map {
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
      ]),
  ]
}
