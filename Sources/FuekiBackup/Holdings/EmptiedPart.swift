internal import FuekiArchive
internal import FuekiWallet

/// A part of the vault's last archive of which nothing is left, as on a machine that was emptied.
public enum EmptiedPart: Codable, Hashable, Sendable {
  /// Every wallet is missing.
  case wallets(UInt64)
  /// Every original file is missing, and there is no wallet.
  case files(UInt64)
  /// Every key and every secret file is missing.
  case secrets(UInt64)
  /// Every record of a scope is missing.
  case scope(String, records: UInt64)

  /// Finds the parts that are now empty.
  ///
  /// The number of settings or labels never counts: a scope counts once all of it is gone.
  ///
  /// - Parameters:
  ///   - sections: the requested sections that may be backed up.
  ///   - compared: the requested sections.
  ///   - vault: this machine's memory of earlier archives.
  ///   - now: the things in the new archive, including incomplete ones.
  ///   - counts: the new archive's records, by section.
  /// - Returns: the parts, in the order of the cases.
  static func all(
    among sections: Set<Section>, comparing compared: Set<Section>, from vault: VaultState, to now: [Holding],
    counts: [String: UInt64]
  ) -> [EmptiedPart] {
    // Another machine's contents do not predict those of this one.
    guard let before = vault.counts else { return [] }
    func things(in sections: Set<Section>) -> [Holding] {
      (vault.inventory?.present ?? []).filter {
        Section(rawValue: $0.section).map(sections.contains) ?? false
      }
    }
    func count(_ kind: Holding.Kind, in holdings: [Holding]) -> UInt64 {
      UInt64(holdings.count { $0.kind == kind })
    }
    var parts: [EmptiedPart] = []
    let (wallets, files) = (count(.wallet, in: things(in: compared)), count(.file, in: things(in: compared)))
    let hasWallets = count(.wallet, in: now) > 0
    if wallets > 0, !hasWallets { parts.append(.wallets(wallets)) }
    if files > 0, wallets == 0, !hasWallets, count(.file, in: now) == 0 { parts.append(.files(files)) }
    let secrets = things(in: sections).count(where: \.isSecret)
    if secrets > 0, !now.contains(where: \.isSecret) { parts.append(.secrets(UInt64(secrets))) }
    for scope in ArchiveScope.allCases {
      let own = sections.filter { $0.scope == scope }
      let old = own.reduce(0) { $0 + (before[$1.name] ?? 0) }
      let left = scope.sections.reduce(0) { $0 + (counts[$1.name] ?? 0) }
      if old > 0, left == 0, scope != .secrets || secrets == 0 {
        parts.append(.scope(scope.name, records: old))
      }
    }
    return parts
  }
}
