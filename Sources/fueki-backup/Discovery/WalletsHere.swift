internal import FuekiCollectors
internal import FuekiSystem

/// The wallets of this machine's user.
enum WalletsHere {
  /// Finds wallets in a home, and in the folders that the XDG variables substitute for its own.
  ///
  /// - Throws: ``CommandError/usage(_:)`` if the home is unknown.
  static func find(home given: String? = nil, disks: [String] = []) throws -> DiscoveredWallets {
    try discovery(home: given, disks: disks).run()
  }

  /// The same, without a close look at each.
  static func findQuickly() throws -> DiscoveredWallets { try discovery().runQuickly() }

  private static func discovery(home given: String? = nil, disks: [String] = []) throws -> WalletDiscovery {
    if let given { return WalletDiscovery(home: given, disks: disks) }
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else {
      throw CommandError.usage("HOME is not set: use --home")
    }
    return WalletDiscovery(home: home, moved: moved, disks: disks)
  }

  /// The places in the home that wallets may go back to.
  static func places() -> WalletPlaces { WalletPlaces(home: Environment.get("HOME") ?? "", moved: moved) }

  /// The folders that the XDG variables put in the place of the home's own.
  private static var moved: [(folder: String, place: String)] {
    [("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share")].compactMap { variable, folder in
      Environment.get(variable).flatMap { $0.hasPrefix("/") ? (folder: folder, place: $0) : nil }
    }
  }
}
