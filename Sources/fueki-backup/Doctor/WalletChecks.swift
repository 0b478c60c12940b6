internal import FuekiCollectors

/// Whether every wallet on this machine is in the backups, and every source there.
enum WalletChecks {
  static func all(_ configuration: Configuration) -> [Check] {
    let missing = configuration.chosenSources.filter { source in
      source.kind != SourceSettings.nothing && source.paths().isEmpty
    }
    return missing.map { source in
      .warning(
        "source \(source.name)", "nothing is there",
        remedy: "see whether the wallet was moved or its disk is not mounted, or remove its [[source]]")
    } + [wallets(configuration)]
  }

  private static func wallets(_ configuration: Configuration) -> Check {
    guard let uncovered = UncoveredWallets(configuration.coverage) else {
      return .ok("wallets", "no wallet without a backup was found")
    }
    return .warning("wallets", uncovered.sentence, remedy: UncoveredWallets.remedy)
  }
}
