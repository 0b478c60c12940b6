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
